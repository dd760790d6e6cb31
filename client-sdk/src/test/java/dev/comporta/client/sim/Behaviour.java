package dev.comporta.client.sim;

import java.util.Optional;
import java.util.random.RandomGenerator;

/** How a simulated client treats limits. */
public enum Behaviour {
  /** As {@code RateLimitedClient}: paced, and refused requests retried by its rules. */
  WRAPPED,
  /** Sends without pause; a refused request has failed, and the next one follows. */
  NAIVE,
  /** Sends without pause; a refused request waits what {@code Retry-After} says, in its thread. */
  RETRY_AFTER_ONLY,
  /** Sends without pause; a refused request waits in its thread, doubled and jittered to 20 s. */
  EXPONENTIAL_BACKOFF,
  /** One request until the first answer, then as fast as remaining requests in the reset's time. */
  REMAINING_PER_RESET;

  Strategy strategy(RandomGenerator random) {
    return switch (this) {
      case WRAPPED -> new Wrapped(random);
      case NAIVE -> new Unpaced((attempt, snapshot) -> Optional.empty());
      case RETRY_AFTER_ONLY -> Unpaced.retryAfterOnly(random);
      case EXPONENTIAL_BACKOFF -> Unpaced.exponentialBackoff(random);
      case REMAINING_PER_RESET -> new RemainingPerReset();
    };
  }
}
