package dev.comporta.client.header;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything one response tells about rate limits, whatever dialect it was told in. Immutable.
 *
 * @param windows the windows that count requests, in the order of the response; empty when none is
 *     told
 * @param retryAfter the wait that the server asks for, from receipt of the response, at most {@link
 *     RetryAfterHeader#LONGEST}; zero is a wait of nothing, empty is no wait asked
 * @param bucket what tells this limit from others of the same server: the name it is given, or the
 *     names of its windows; empty when the response tells no window
 * @param otherWindows the windows of something else, such as tokens, bytes, or the requests to a
 *     part of the API only, and those that tell no count; no request may be counted against them
 * @param policyName the name of the policy that governs, where the response gives one
 * @param throttle whether the request was turned away for its rate, and may be sent again
 */
public record RateLimitSnapshot(
    List<Window> windows,
    Optional<Duration> retryAfter,
    Optional<String> bucket,
    List<Window> otherWindows,
    Optional<String> policyName,
    Throttle throttle) {

  /** Told by a response that says nothing about rate limits. */
  public static final RateLimitSnapshot NOTHING =
      new RateLimitSnapshot(List.of(), Optional.empty(), Optional.empty());

  public RateLimitSnapshot {
    windows = List.copyOf(windows);
    otherWindows = List.copyOf(otherWindows);
  }

  /** A snapshot of windows that count requests, of a response that was no refusal. */
  public RateLimitSnapshot(
      List<Window> windows, Optional<Duration> retryAfter, Optional<String> bucket) {
    this(windows, retryAfter, bucket, List.of(), Optional.empty(), Throttle.NONE);
  }

  /**
   * The window that leaves least of its limit; among equals the one with fewest left, then the one
   * whose end is farthest away. A window that does not count requests is taken only if it is
   * exhausted, or there is no other.
   */
  public Optional<Window> tightest() {
    Optional<Window> governing = tightest(windows, Optional.empty(), false);
    governing = tightest(otherWindows, governing, true);
    return governing.isPresent() ? governing : tightest(otherWindows, governing, false);
  }

  /**
   * The wait before which another request would be refused: what the server asks for, or the last
   * end among the windows with nothing left, or after a refusal what the vendor's documents ask
   * for. Empty when none of these is known.
   */
  public Optional<Duration> waitHint() {
    if (retryAfter.isPresent()) {
      return retryAfter;
    }
    Optional<Duration> end =
        Stream.concat(windows.stream(), otherWindows.stream())
            .filter(window -> window.isExhausted() || (throttle.isRefusal() && !window.isCounted()))
            .flatMap(window -> untilOneMore(window).stream())
            .max(Comparator.naturalOrder());
    if (end.isPresent() || !throttle.isRefusal()) {
      return end;
    }
    return throttle.usualWait();
  }

  RateLimitSnapshot withPolicyName(Optional<String> newPolicyName) {
    return new RateLimitSnapshot(
        windows, retryAfter, bucket, otherWindows, newPolicyName, throttle);
  }

  private static Optional<Duration> untilOneMore(Window window) {
    if (window.resetAfter().isPresent() || window.terms().ratePerSecond().isEmpty()) {
      return window.resetAfter();
    }
    double seconds = 1 / window.terms().ratePerSecond().getAsDouble();
    double longest = RetryAfterHeader.LONGEST.toSeconds();
    return Optional.of(Duration.ofNanos((long) (Math.min(longest, seconds) * Decimal.SECOND)));
  }

  private static Optional<Window> tightest(
      List<Window> candidates, Optional<Window> soFar, boolean areExhausted) {
    Optional<Window> tightest = soFar;
    for (Window window : candidates) {
      boolean isCandidate = window.isExhausted() || !areExhausted;
      if (isCandidate && (tightest.isEmpty() || isTighter(window, tightest.get()))) {
        tightest = Optional.of(window);
      }
    }
    return tightest;
  }

  private static boolean isTighter(Window window, Window than) {
    int byShare = Double.compare(shareLeft(window), shareLeft(than));
    if (byShare != 0) {
      return byShare < 0;
    }
    long left = window.remaining().orElse(Long.MAX_VALUE);
    long otherLeft = than.remaining().orElse(Long.MAX_VALUE);
    Duration end = window.resetAfter().orElse(Duration.ZERO);
    return left == otherLeft
        ? end.compareTo(than.resetAfter().orElse(Duration.ZERO)) > 0
        : left < otherLeft;
  }

  private static double shareLeft(Window window) {
    if (window.remaining().isEmpty()) {
      return 2;
    }
    long remaining = window.remaining().getAsLong();
    long limit = window.limit().orElse(0);
    if (limit > 0) {
      return (double) remaining / limit;
    }
    return remaining == 0 ? 0 : 1;
  }
}
