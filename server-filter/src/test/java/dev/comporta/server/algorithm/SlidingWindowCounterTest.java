package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlidingWindowCounterTest {

  private static final long MINUTE = 60_000_000;

  private final long[] state = new long[RateAlgorithm.STATE_LONGS];

  private void spend(RateAlgorithm algorithm, long permits, long nowMicros) {
    assertThat(algorithm.decide(state, permits, nowMicros)).isEqualTo(Decision.ALLOWED);
    algorithm.charge(state, permits, nowMicros);
  }

  @Test
  void countsTheWindowBeforeByWhatIsLeftOfItRoundedUp() {
    SlidingWindowCounter window = new SlidingWindowCounter(100, MINUTE);
    spend(window, 42, 0);
    spend(window, 18, MINUTE);

    assertThat(window.standing(state, MINUTE + 15_000_000).remaining()).isEqualTo(50);
  }

  @Test
  void waitsForTheWeightToFallNotForTheWindowToEnd() {
    SlidingWindowCounter window = new SlidingWindowCounter(60, MINUTE);
    spend(window, 60, 0);
    spend(window, 12, MINUTE + 12_000_000);

    assertThat(window.decide(state, 1, MINUTE + 12_000_000))
        .isEqualTo(new Decision.Denied(1_000_000));
  }

  @Test
  void waitsIntoTheNextWindowWhenThisOneAloneIsTooMuch() {
    SlidingWindowCounter window = new SlidingWindowCounter(10, 10_000_000);
    spend(window, 10, 0);

    assertThat(window.decide(state, 1, 0)).isEqualTo(new Decision.Denied(11_000_000));
    assertThat(window.decide(state, 10, 0)).isEqualTo(new Decision.Denied(20_000_000));
  }

  @Test
  void worstCaseIsOneShortOfTwiceTheLimit() {
    SlidingWindowCounter window = new SlidingWindowCounter(100, MINUTE);
    spend(window, 100, MINUTE - 1);
    int admitted = 100;

    for (long nowMicros = MINUTE; nowMicros < 2 * MINUTE - 1; nowMicros += 1_000) {
      if (window.decide(state, 1, nowMicros) instanceof Decision.Allowed) {
        window.charge(state, 1, nowMicros);
        admitted++;
      }
    }

    assertThat(admitted).isEqualTo(199);
  }

  @Test
  void admitsAgainAtTheEdgeOfTheSecondWindowAndNotBefore() {
    SlidingWindowCounter window = new SlidingWindowCounter(5, MINUTE);
    spend(window, 5, 0);

    assertThat(window.decide(state, 5, 2 * MINUTE - 1)).isEqualTo(new Decision.Denied(1));
    assertThat(window.decide(state, 5, 2 * MINUTE)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void stepBackOverAnEdgeDoesNotBringPermitsBack() {
    SlidingWindowCounter window = new SlidingWindowCounter(100, MINUTE);
    spend(window, 100, MINUTE - 1);
    spend(window, 1, MINUTE + 600_000);

    assertThat(window.standing(state, MINUTE - 1).remaining()).isZero();
  }

  @Test
  void usageStaysWhenTheWindowChanges() {
    SlidingWindowCounter before = new SlidingWindowCounter(100, MINUTE);
    SlidingWindowCounter after = new SlidingWindowCounter(50, 10 * MINUTE);
    spend(before, 30, MINUTE);

    after.rebase(state, MINUTE + 1);

    assertThat(after.standing(state, MINUTE + 1).remaining()).isEqualTo(20);
  }

  @Test
  void usageStaysWhenOnlyTheLimitChanges() {
    spend(new SlidingWindowCounter(2_000, MINUTE), 1_999, 0);
    SlidingWindowCounter after = new SlidingWindowCounter(200, MINUTE);

    after.rebase(state, 1);

    assertThat(after.standing(state, 1).remaining()).isZero();
    assertThat(after.decide(state, 1, 1)).isInstanceOf(Decision.Denied.class);
  }

  @Test
  void largestAcceptedValuesDoNotOverflow() {
    long window = 34_560_000_000_000L;
    SlidingWindowCounter counter = new SlidingWindowCounter(2_147_483_647L, window);
    long start = 200 * window;
    spend(counter, 2_147_483_647L, start);

    assertThat(counter.standing(state, start + window + 1).remaining()).isZero();
    assertThat(counter.decide(state, 1, start)).isEqualTo(new Decision.Denied(window + 16_094));
  }
}
