package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

/** What must be true of any state at any instant, and that asking changes nothing. */
final class Promises {

  private Promises() {}

  /** Charges the cost if it fits. */
  static long[] charged(RateAlgorithm algorithm, long[] state, long cost, long now) {
    return algorithm.decide(state, cost, now) instanceof Decision.Allowed
        ? algorithm.charge(state, cost, now)
        : state;
  }

  /** A refused cost is refused until one microsecond before, and admitted from then on. */
  static void assertRetry(
      RateAlgorithm algorithm, long[] state, long cost, long now, long later, String step) {
    long[] before = state.clone();
    Decision decision = algorithm.decide(state, cost, now);
    assertThat(decision).as(step).isInstanceOf(Decision.Denied.class);
    long retryAfter = ((Decision.Denied) decision).retryAfterMicros();
    String asked = step + " cost " + cost + " retry after " + retryAfter;
    assertThat(retryAfter).as(asked).isPositive();
    assertThat(algorithm.decide(state, cost, now + retryAfter - 1))
        .as(asked)
        .isInstanceOf(Decision.Denied.class);
    assertThat(algorithm.decide(state, cost, now + retryAfter))
        .as(asked)
        .isEqualTo(Decision.ALLOWED);
    assertThat(algorithm.decide(state, cost, now + Math.max(later, retryAfter)))
        .as(asked + ", later")
        .isEqualTo(Decision.ALLOWED);
    assertThat(state).as(asked).isEqualTo(before);
  }

  /** A cost of n passes if and only if n costs of 1 do, and leaves the same state. */
  static void assertAdditive(
      RateAlgorithm algorithm, long[] before, long[] after, long cost, long now, String step) {
    boolean isAllowed = algorithm.decide(before, cost, now) instanceof Decision.Allowed;
    long[] single = before;
    long passed = 0;
    while (passed < cost && algorithm.decide(single, 1, now) instanceof Decision.Allowed) {
      single = algorithm.charge(single, 1, now);
      passed++;
    }
    assertThat(passed == cost).as(step).isEqualTo(isAllowed);
    if (isAllowed) {
      assertThat(after).as(step).isEqualTo(single);
    }
  }

  /** A standing is within the limit, and what it says remains is what is admitted. */
  static void assertStanding(RateAlgorithm algorithm, long[] state, long now, String at) {
    long[] before = state.clone();
    Standing standing = algorithm.standing(state, now);
    String step = at + " " + standing;
    assertThat(standing.remaining()).as(step).isBetween(0L, standing.limit());
    assertThat(standing.limit()).as(step).isEqualTo(algorithm.limit());
    if (standing.remaining() > 0) {
      assertThat(algorithm.decide(state, standing.remaining(), now))
          .as(step)
          .isEqualTo(Decision.ALLOWED);
      assertThat(standing.nextAfterMicros()).as(step).isZero();
    } else {
      assertThat(algorithm.decide(state, 1, now))
          .as(step)
          .isEqualTo(new Decision.Denied(standing.nextAfterMicros()));
    }
    assertThat(algorithm.decide(state, standing.remaining() + 1, now))
        .as(step)
        .isNotEqualTo(Decision.ALLOWED);
    assertWholeExactlyAtReset(algorithm, state, now, standing, step);
    assertThat(state).as(step).isEqualTo(before);
  }

  private static void assertWholeExactlyAtReset(
      RateAlgorithm algorithm, long[] state, long now, Standing standing, String step) {
    long resetAt = now + standing.resetAfterMicros();
    assertThat(algorithm.standing(state, resetAt).remaining()).as(step).isEqualTo(standing.limit());
    assertThat(standing.resetAfterMicros()).as(step).isGreaterThanOrEqualTo(0);
    if (standing.resetAfterMicros() > 0) {
      assertThat(algorithm.effectEndsAtMicros(state)).as(step).isEqualTo(resetAt);
      assertThat(algorithm.standing(state, resetAt - 1).resetAfterMicros()).as(step).isEqualTo(1);
    }
  }
}
