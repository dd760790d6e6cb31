package dev.comporta.server.algorithm;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;

/**
 * One limit, ready to count: pure functions of a state, a cost and an instant.
 *
 * <p>The state of one caller is an array of longs that only the algorithm understands. {@link
 * #newState} is that of a caller that never came; {@link #charge}, {@link #surcharge}, {@link
 * #refund} and {@link #grant} change it and return the array to keep, which is another one only
 * when its size had to change. An implementation keeps nothing itself, a {@link FixedWindow} the
 * edges of the window it was asked for last. Instants are microseconds since the epoch, from one
 * clock, which may step back. Thread-safe; a state is guarded by whoever holds it.
 *
 * <p>Costs are at least 1. A cost of n is admitted at an instant if and only if n requests of cost
 * 1 at that instant all would be, and then the states are equal.
 *
 * <p>A state may have been written under another limit of the same algorithm: what was used then
 * counts, and no method needs to be told. Reading such a state changes nothing, so a refusal does
 * not either; it is written anew by the first charge, surcharge, refund or grant under this limit.
 */
public sealed interface RateAlgorithm
    permits TokenBucket, SlidingWindowCounter, SlidingWindowLog, FixedWindow {

  /** The algorithm that counts this limit. */
  static RateAlgorithm of(LimitSpec limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> new TokenBucket(limit.permits(), limit.windowMicros(), limit.burst());
      case SLIDING_WINDOW_COUNTER ->
          new SlidingWindowCounter(
              limit.permits(), limit.windowMicros(), limit.segments(), limit.estimate());
      case SLIDING_WINDOW_LOG -> new SlidingWindowLog(limit.permits(), limit.windowMicros());
      case FIXED_WINDOW -> new FixedWindow(limit.permits(), limit.limitWindow());
    };
  }

  /** How it counts. */
  Algorithm kind();

  /** The most permits there can be: the burst of a bucket, the permits of a window. */
  long limit();

  /** The span in which {@link #limit()} permits come back to a caller that spends nothing. */
  long windowMicros();

  /** The state of a caller that never came. */
  long[] newState();

  /**
   * Brings a state from a later clock back to this one, keeping the usage, so that nobody is
   * refused for longer than a full recovery takes. To be called before anything else is asked at
   * that instant, and kept even if the request is refused.
   *
   * @return whether the state was changed
   */
  boolean rebase(long[] state, long nowMicros);

  /** Whether that cost fits at that instant. Changes nothing. */
  Decision decide(long[] state, long cost, long nowMicros);

  /**
   * Takes the cost, which {@link #decide} has just allowed for this state and instant.
   *
   * @return the state to keep
   */
  long[] charge(long[] state, long cost, long nowMicros);

  /**
   * Takes permits whether they are there or not: a debt, which comes back as any usage does. Usage
   * and debt together never exceed twice the limit; what goes beyond is forgiven.
   *
   * @param permits at least 1
   * @return the state to keep
   */
  long[] surcharge(long[] state, long permits, long nowMicros);

  /**
   * Gives permits back that were taken at an instant, as far as they still count.
   *
   * @param permits at least 1
   * @param chargedAtMicros the instant at which they were taken, by the same clock
   * @return the state to keep
   */
  long[] refund(long[] state, long permits, long chargedAtMicros, long nowMicros);

  /**
   * Gives usage back whenever it was taken, the newest first and never beyond a whole limit. A debt
   * is paid first. Each permit gives back as much as it still counts: one whole permit, except in a
   * weighted window, where it may count for a part.
   *
   * @param permits at least 1
   * @return the state to keep
   */
  long[] grant(long[] state, long permits, long nowMicros);

  /** Where the caller stands at that instant. Changes nothing. */
  Standing standing(long[] state, long nowMicros);

  /**
   * The instant from which this state means the same as no state at all, so that it can be
   * forgotten.
   */
  long effectEndsAtMicros(long[] state);

  /** Refuses a cost that is no cost. */
  static void requireCost(long cost) {
    if (cost < 1) {
      throw new IllegalArgumentException("cost must be at least 1, was " + cost);
    }
  }
}
