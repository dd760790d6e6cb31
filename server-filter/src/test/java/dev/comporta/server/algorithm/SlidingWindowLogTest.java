package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SlidingWindowLogTest {

  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;

  @Test
  void oldestEntryLeavesFirst() {
    SlidingWindowLog log = new SlidingWindowLog(2, MINUTE);
    long[] state = log.charge(log.newState(), 1, 0);
    state = log.charge(state, 1, 10 * SECOND);

    assertThat(log.decide(state, 1, 20 * SECOND)).isEqualTo(new Decision.Denied(40 * SECOND));
    assertThat(log.decide(state, 2, 20 * SECOND)).isEqualTo(new Decision.Denied(50 * SECOND));
  }

  @Test
  void requestsOfOneInstantAreCountedEach() {
    SlidingWindowLog log = new SlidingWindowLog(10, MINUTE);
    long[] state = log.newState();
    int admitted = 0;
    for (int i = 0; i < 100; i++) {
      if (log.decide(state, 1, 5) instanceof Decision.Allowed) {
        state = log.charge(state, 1, 5);
        admitted++;
      }
    }

    assertThat(admitted).isEqualTo(10);
  }

  @Test
  void limitThatIsCutBelowWhatIsUsedLeavesNothingUntilEnoughHasLeft() {
    SlidingWindowLog before = new SlidingWindowLog(10, MINUTE);
    long[] state = before.newState();
    for (int i = 0; i < 10; i++) {
      state = before.charge(state, 1, i * SECOND);
    }
    SlidingWindowLog after = new SlidingWindowLog(3, MINUTE);

    assertThat(after.standing(state, 10 * SECOND).remaining()).isZero();
    assertThat(after.decide(state, 1, 10 * SECOND)).isEqualTo(new Decision.Denied(57 * SECOND));
  }

  @Test
  void widerWindowFindsWhatIsStillThere() {
    SlidingWindowLog narrow = new SlidingWindowLog(10, MINUTE);
    SlidingWindowLog wide = new SlidingWindowLog(10, 60 * MINUTE);
    long[] state = narrow.charge(narrow.newState(), 4, 0);
    state = narrow.charge(state, 3, 30 * SECOND);

    assertThat(wide.standing(state, 2 * MINUTE).remaining()).isEqualTo(3);
  }

  @Test
  void refundTakesTheEntryOfThatInstantAlone() {
    SlidingWindowLog log = new SlidingWindowLog(10, MINUTE);
    long[] state = log.charge(log.newState(), 4, 0);
    state = log.charge(state, 3, SECOND);
    state = log.charge(state, 3, 2 * SECOND);

    state = log.refund(state, 1, SECOND, 3 * SECOND);
    long afterOne = log.standing(state, 3 * SECOND).remaining();
    state = log.refund(state, 50, SECOND, 3 * SECOND);
    state = log.refund(state, 50, SECOND, 3 * SECOND);

    assertThat(afterOne).isEqualTo(1);
    assertThat(log.standing(state, 3 * SECOND).remaining()).isEqualTo(3);
    assertThat(log.decide(state, 4, 3 * SECOND)).isEqualTo(new Decision.Denied(57 * SECOND));
  }

  @Test
  void debtIsBoundedAndWaitedFor() {
    SlidingWindowLog log = new SlidingWindowLog(10, MINUTE);
    long[] state = log.charge(log.newState(), 10, 0);

    state = log.surcharge(state, Long.MAX_VALUE, SECOND);

    assertThat(log.decide(state, 1, SECOND)).isEqualTo(new Decision.Denied(MINUTE));
    assertThat(log.standing(state, SECOND).remaining()).isZero();
    assertThat(log.decide(state, 10, SECOND + MINUTE)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void keepsAtMostTwiceItsPermitsAndBecomesSmallAgain() {
    Random random = new Random(7);
    SlidingWindowLog log = new SlidingWindowLog(1_000, MINUTE);
    long[] state = log.newState();
    long now = 0;
    int largest = 0;
    for (int i = 0; i < 50_000; i++) {
      now += random.nextInt(30_000);
      state = Promises.charged(log, state, 1, now);
      state = random.nextInt(10) == 0 ? log.surcharge(state, 1, now) : state;
      largest = Math.max(largest, state.length);
    }
    for (int i = 0; i < 5_000; i++) {
      now += 30 * SECOND;
      state = Promises.charged(log, state, 1, now);
    }

    assertThat(largest).isBetween(2_000, 3 + 2 * 2_000);
    assertThat(state.length).isLessThan(100);
  }

  @Test
  void largestAcceptedValuesDoNotOverflow() {
    long window = 34_560_000_000_000L;
    SlidingWindowLog log = new SlidingWindowLog(10_000, window);
    long now = 200 * window;
    long[] state = log.newState();
    for (int i = 0; i < 10_000; i++) {
      state = log.charge(state, 1, now + i);
    }

    assertThat(log.decide(state, 1, now + 10_000)).isEqualTo(new Decision.Denied(window - 10_000));
    assertThat(log.decide(state, 10_000, now + 10_000)).isEqualTo(new Decision.Denied(window - 1));
  }
}
