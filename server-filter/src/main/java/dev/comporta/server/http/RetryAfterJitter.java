package dev.comporta.server.http;

import java.util.OptionalInt;
import java.util.OptionalLong;

/*
 * How this works, and why. Callers that are refused together are told the same second, and come back
 * together: a herd, which the limit refuses again but for its first. Spread over some seconds, they
 * meet a limit that has recovered in between. So each is told its own wait, drawn evenly from the
 * exact one up to a most:
 *
 *   percent alone    60 s and 10 % -> 60 to 66; 1 s and 10 % -> 1 or 2 (rounded up, so that short
 *                    waits, the ones that herds come from, are spread too)
 *   maximum alone    60 s and 5 s -> 60 to 65
 *   both             the smaller of the two spreads
 *
 * Law: never less than the exact wait, so who obeys is still admitted. The time of a reset and the t
 * of RateLimit stay exact: they tell what is so, and not what to do.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-11, section 8.5.
 */
/**
 * What is added to the wait that a refusal tells, so that callers who were refused together do not
 * come back together. Immutable.
 *
 * @param percent the most that is added, in percent of the wait, 0 to 100; if empty, the maximum
 *     alone counts
 * @param maximumSeconds the most that is added, whatever the wait is, 0 to a day; if empty, the
 *     percentage alone counts
 */
public record RetryAfterJitter(OptionalInt percent, OptionalLong maximumSeconds) {

  /** Adds nothing. */
  public static final RetryAfterJitter NONE =
      new RetryAfterJitter(OptionalInt.empty(), OptionalLong.empty());

  /** A day: beyond that it is no jitter. */
  public static final long MAX_SECONDS = 86_400;

  /** Checks both ranges. */
  public RetryAfterJitter {
    if (percent.isPresent() && (percent.getAsInt() < 0 || percent.getAsInt() > 100)) {
      throw new IllegalArgumentException(
          "the percentage of jitter must be 0 to 100, was " + percent.getAsInt());
    }
    if (maximumSeconds.isPresent()
        && (maximumSeconds.getAsLong() < 0 || maximumSeconds.getAsLong() > MAX_SECONDS)) {
      throw new IllegalArgumentException(
          "the maximum of jitter must be 0 to "
              + MAX_SECONDS
              + " seconds, was "
              + maximumSeconds.getAsLong());
    }
  }

  /**
   * The wait to tell: not less than this one.
   *
   * @param seconds the exact wait, in whole seconds
   * @param random any long, each as likely as any other
   */
  public long apply(long seconds, long random) {
    return seconds + share(spread(seconds), random);
  }

  /** The most that is added to such a wait. */
  private long spread(long seconds) {
    long byMaximum = maximumSeconds.orElse(percent.isPresent() ? MAX_SECONDS : 0);
    if (percent.isEmpty()) {
      return byMaximum;
    }
    long hundredths = Math.min(seconds, 100 * MAX_SECONDS) * percent.getAsInt();
    return Math.min(byMaximum, -Math.floorDiv(-hundredths, 100L));
  }

  /* floor((spread + 1) · r / 2^63), with r the upper 63 bits: 0 to spread, each as often. */
  private static long share(long spread, long random) {
    return Math.multiplyHigh(random >>> 1, (spread + 1) << 1);
  }
}
