package dev.comporta.server.store.redis;

/**
 * By what means fewer calls than decisions go to Redis.
 *
 * @param isCoalescing whether decisions that wait at once travel in one call; otherwise each has a
 *     call of its own
 */
public record Trips(boolean isCoalescing) {

  /** Decisions that wait at once travel together. */
  public static Trips defaults() {
    return new Trips(true);
  }

  /** A call for each decision, for comparison. */
  public static Trips oneForEach() {
    return new Trips(false);
  }
}
