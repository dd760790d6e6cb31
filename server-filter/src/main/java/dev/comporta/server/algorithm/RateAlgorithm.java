package dev.comporta.server.algorithm;

import dev.comporta.server.policy.LimitSpec;

/**
 * One limit, ready to count: pure functions of a state, a cost and an instant.
 *
 * <p>The state of one caller is {@link #STATE_LONGS} longs, all zero for a caller that never came.
 * An implementation reads it, and {@link #charge} and {@link #carryOver} write it; it keeps nothing
 * itself. Instants are microseconds since the epoch, from one clock, which may step back: whatever
 * a state says, nobody is refused for longer than a full recovery takes from now. Immutable and
 * thread-safe; a state is guarded by whoever holds it.
 *
 * <p>Costs are at least 1. A cost of n is admitted at an instant if and only if n requests of cost
 * 1 at that instant all would be, and then the states are equal.
 */
public sealed interface RateAlgorithm permits TokenBucket, SlidingWindowCounter {

  /** How many longs hold the state of one caller. */
  int STATE_LONGS = 4;

  /** The algorithm that counts this limit. */
  static RateAlgorithm of(LimitSpec limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> new TokenBucket(limit.permits(), limit.windowMicros(), limit.burst());
      case SLIDING_WINDOW_COUNTER ->
          new SlidingWindowCounter(limit.permits(), limit.windowMicros());
    };
  }

  /** The most permits there can be: the burst of a bucket, the permits of a window. */
  long limit();

  /** The span in which {@link #limit()} permits come back to a caller that spends nothing. */
  long windowMicros();

  /** Whether that cost fits at that instant. Changes nothing. */
  Decision decide(long[] state, long cost, long nowMicros);

  /** Takes the cost, which {@link #decide} has just allowed for this state and instant. */
  void charge(long[] state, long cost, long nowMicros);

  /** Where the caller stands at that instant. Changes nothing. */
  Standing standing(long[] state, long nowMicros);

  /**
   * The instant from which this state means the same as no state at all, so that it can be
   * forgotten.
   */
  long effectEndsAtMicros(long[] state);

  /**
   * Turns a state that was written under another rate or window of the same algorithm into one of
   * this limit: what was used stays used, rounded up to whole permits. Does nothing to a state of
   * this limit or to an empty one.
   */
  void carryOver(long[] state, long nowMicros);

  /** Refuses a cost that is no cost. */
  static void requireCost(long cost) {
    if (cost < 1) {
      throw new IllegalArgumentException("cost must be at least 1, was " + cost);
    }
  }
}
