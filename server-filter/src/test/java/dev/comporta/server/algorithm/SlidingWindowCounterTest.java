package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Estimate;
import org.junit.jupiter.api.Test;

class SlidingWindowCounterTest {

  private static final long MINUTE = 60_000_000;

  private final long[] state = new long[8];

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

    window.rebase(state, MINUTE - 1);

    assertThat(window.standing(state, MINUTE - 1).remaining()).isZero();
  }

  @Test
  void usageStaysWhenTheWindowChanges() {
    SlidingWindowCounter before = new SlidingWindowCounter(100, MINUTE);
    SlidingWindowCounter after = new SlidingWindowCounter(50, 10 * MINUTE);
    spend(before, 30, MINUTE);

    assertThat(after.standing(state, MINUTE + 1).remaining()).isEqualTo(20);
  }

  @Test
  void usageStaysWhenOnlyTheLimitChanges() {
    spend(new SlidingWindowCounter(2_000, MINUTE), 1_999, 0);
    SlidingWindowCounter after = new SlidingWindowCounter(200, MINUTE);

    assertThat(after.standing(state, 1).remaining()).isZero();
    assertThat(after.decide(state, 1, 1)).isInstanceOf(Decision.Denied.class);
  }

  @Test
  void estimateIsReadFromTheSameState() {
    spend(new SlidingWindowCounter(100, MINUTE), 60, 10_000_000);
    spend(new SlidingWindowCounter(100, MINUTE), 40, 40_000_000);
    long now = 85_000_000;

    assertThat(remaining(Estimate.EVEN, now)).isEqualTo(100 - 59);
    assertThat(remaining(Estimate.OBSERVED, now)).isEqualTo(100 - 50);
    assertThat(remaining(Estimate.STRICT, now)).isZero();
  }

  private long remaining(Estimate estimate, long now) {
    return new SlidingWindowCounter(100, MINUTE, 1, estimate).standing(state, now).remaining();
  }

  @Test
  void segmentsThatBecomeOneAreCountedTogether() {
    SlidingWindowCounter fine = new SlidingWindowCounter(100, MINUTE, 10, Estimate.OBSERVED);
    long[] kept = fine.newState();
    for (int second = 0; second < 60; second++) {
      kept = fine.charge(kept, 1, second * 1_000_000L);
    }

    SlidingWindowCounter coarse = new SlidingWindowCounter(100, MINUTE, 1, Estimate.OBSERVED);

    assertThat(coarse.standing(kept, MINUTE + 29_500_000).remaining()).isEqualTo(100 - 30);
    assertThat(fine.standing(kept, MINUTE + 29_500_000).remaining()).isEqualTo(100 - 30);
  }

  @Test
  void windowThatDoesNotDivideIntoItsSegmentsIsCoveredByThem() {
    SlidingWindowCounter window = new SlidingWindowCounter(5, 1_000, 7, Estimate.EVEN);
    long[] kept = window.charge(window.newState(), 5, 0);

    assertThat(window.decide(kept, 5, 0)).isEqualTo(new Decision.Denied(1_143));
  }

  @Test
  void refundGoesToTheSegmentThatWasCharged() {
    SlidingWindowCounter window = new SlidingWindowCounter(10, MINUTE);
    spend(window, 4, 0);
    spend(window, 5, MINUTE);

    window.refund(state, 3, 0, MINUTE);
    long afterSome = window.standing(state, MINUTE).remaining();
    window.refund(state, 100, 0, MINUTE);
    long afterAll = window.standing(state, MINUTE).remaining();
    window.refund(state, 100, 0, MINUTE);

    assertThat(afterSome).isEqualTo(4);
    assertThat(afterAll).isEqualTo(5);
    assertThat(window.standing(state, MINUTE).remaining()).isEqualTo(5);
  }

  @Test
  void surchargeIsADebtOfAtMostOneMoreLimit() {
    SlidingWindowCounter window = new SlidingWindowCounter(10, MINUTE, 1, Estimate.STRICT);
    spend(window, 10, 0);

    window.surcharge(state, Long.MAX_VALUE, 0);

    assertThat(window.standing(state, 0)).isEqualTo(new Standing(10, 0, MINUTE, MINUTE));
    assertThat(state[2]).isEqualTo(20);
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
