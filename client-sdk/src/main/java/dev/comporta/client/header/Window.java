package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One window of a rate limit as a response tells it: how many requests it grants, how many are
 * left, when that ends. What the response does not tell is empty; zero is a value, not an absence.
 * Immutable.
 *
 * @param name the policy's name, with its partition key appended where there is one ({@code
 *     u;pk=:YQ==:}); empty where the dialect has no names
 * @param limit requests granted per window, 0 or more
 * @param remaining requests left when the response was made, from 0 to {@code limit}
 * @param resetAfter time from receipt of the response to the end that the server states, 0 or more.
 *     Servers mean different things by it: the window's edge, the instant at which the quota is
 *     whole again, or the time for which {@code remaining} has to suffice
 * @param length the window's length, above 0; servers may round it up to whole seconds
 */
public record Window(
    Optional<String> name,
    OptionalLong limit,
    OptionalLong remaining,
    Optional<Duration> resetAfter,
    Optional<Duration> length) {

  public Window {
    requireNotNegative("limit", limit);
    requireNotNegative("remaining", remaining);
    if (limit.isPresent() && remaining.isPresent() && remaining.getAsLong() > limit.getAsLong()) {
      throw new IllegalArgumentException(
          "remaining must be <= limit, was %d of %d"
              .formatted(remaining.getAsLong(), limit.getAsLong()));
    }
    if (resetAfter.isPresent() && resetAfter.get().isNegative()) {
      throw new IllegalArgumentException("resetAfter must be >= 0, was " + resetAfter.get());
    }
    if (length.isPresent() && (length.get().isNegative() || length.get().isZero())) {
      throw new IllegalArgumentException("length must be > 0, was " + length.get());
    }
  }

  /** Whether the response says that nothing is left. */
  public boolean isExhausted() {
    return remaining.isPresent() && remaining.getAsLong() == 0;
  }

  private static void requireNotNegative(String what, OptionalLong value) {
    if (value.isPresent() && value.getAsLong() < 0) {
      throw new IllegalArgumentException(what + " must be >= 0, was " + value.getAsLong());
    }
  }
}
