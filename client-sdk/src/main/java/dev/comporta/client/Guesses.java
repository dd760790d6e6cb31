package dev.comporta.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.comporta.client.pacing.Route;

/**
 * Which routes are known before the filters of the application run. What a filter changes, such as
 * the credentials, is known only when it has run, so such a request waits after its filters and not
 * before. Bounded. Thread-safe.
 */
final class Guesses {

  private static final long MOST_ROUTES = 10_000;

  private final Cache<Route, Boolean> wrong =
      Caffeine.newBuilder().maximumSize(MOST_ROUTES).build();

  /** Whether a request of which this is known has never turned out to go elsewhere. */
  boolean isTrusted(Route guess) {
    return wrong.getIfPresent(guess) == null;
  }

  void turnedOut(Route guess, Route actual) {
    if (!guess.equals(actual)) {
      wrong.put(guess, true);
    }
  }
}
