package dev.comporta.client.sim;

/** How a simulated client treats limits. */
public enum Behaviour {
  /** As {@code RateLimitedClient}: paced, and refused requests retried by its rules. */
  WRAPPED,
  /** Sends without pause; a refused request has failed, and the next one follows. */
  NAIVE,
  /** Sends without pause; a refused request waits what {@code Retry-After} says, in its thread. */
  RETRY_AFTER_ONLY
}
