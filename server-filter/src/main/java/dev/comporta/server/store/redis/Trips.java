package dev.comporta.server.store.redis;

import java.time.Duration;

/**
 * By what means fewer calls than decisions go to Redis.
 *
 * @param isCoalescing whether decisions that wait at once travel in one call; otherwise each has a
 *     call of its own
 * @param refusals for how long at most this node repeats a refusal by itself, 0 to 1 day; 0 is
 *     never. A reset or grant by another node acts here no later than that.
 * @param refundableRefusals the same where permits may come back early: a refund by another node
 *     acts here no later than that
 */
public record Trips(boolean isCoalescing, Duration refusals, Duration refundableRefusals) {

  /** Far longer than a caller waits between two tries that are refused. */
  public static final Duration DEFAULT_REFUSALS = Duration.ofSeconds(10);

  private static final Duration MOST = Duration.ofDays(1);

  /** Checks every range; the message names the rule, the value and the setting. */
  public Trips {
    requireWithin(refusals, "comporta.redis.refusal-cache");
    requireWithin(refundableRefusals, "comporta.redis.refusal-cache-refundable");
  }

  /**
   * Decisions that wait at once travel together; a refusal is repeated for up to 10 s, but not
   * where permits may come back early.
   */
  public static Trips defaults() {
    return new Trips(true, DEFAULT_REFUSALS, Duration.ZERO);
  }

  /** A call for each decision, for comparison. */
  public static Trips oneForEach() {
    return new Trips(false, Duration.ZERO, Duration.ZERO);
  }

  private static void requireWithin(Duration value, String setting) {
    if (value.isNegative() || value.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "a refusal must be repeated for 0 to 1 day, was " + value + " (" + setting + ")");
    }
  }
}
