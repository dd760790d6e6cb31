package dev.comporta.client.header;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Everything one response tells about rate limits, whatever dialect it was told in. Immutable.
 *
 * @param windows the windows of the limit, in the order of the response; empty when none is told
 * @param retryAfter the wait that the server asks for, from receipt of the response, at most {@link
 *     RetryAfterHeader#LONGEST}; zero is a wait of nothing, empty is no wait asked
 * @param bucket what tells this limit from others of the same server: the name it is given, or the
 *     names of its windows; empty when the response tells no window
 */
public record RateLimitSnapshot(
    List<Window> windows, Optional<Duration> retryAfter, Optional<String> bucket) {

  /** Told by a response that says nothing about rate limits. */
  public static final RateLimitSnapshot NOTHING =
      new RateLimitSnapshot(List.of(), Optional.empty(), Optional.empty());

  private static final Comparator<Window> TIGHTEST_FIRST =
      Comparator.comparingDouble(RateLimitSnapshot::shareLeft)
          .thenComparing(window -> window.remaining().orElse(Long.MAX_VALUE))
          .thenComparing(
              window -> window.resetAfter().orElse(Duration.ZERO), Comparator.reverseOrder());

  public RateLimitSnapshot {
    windows = List.copyOf(windows);
  }

  /**
   * The window that leaves least of its limit; among equals the one with fewest requests left, then
   * the one whose end is farthest away.
   */
  public Optional<Window> tightest() {
    return windows.stream().min(TIGHTEST_FIRST);
  }

  /**
   * The wait before which another request would be refused: what the server asks for, or the last
   * end among the windows with nothing left. Empty when the response tells neither.
   */
  public Optional<Duration> waitHint() {
    if (retryAfter.isPresent()) {
      return retryAfter;
    }
    return windows.stream()
        .filter(Window::isExhausted)
        .flatMap(window -> window.resetAfter().stream())
        .max(Comparator.naturalOrder());
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
