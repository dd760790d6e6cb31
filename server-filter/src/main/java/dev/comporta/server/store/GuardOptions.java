package dev.comporta.server.store;

import java.time.Duration;

/**
 * How {@link GuardedStore} treats a store that does not answer.
 *
 * @param timeBudget the most that a request waits for the store, 1 ms to 10 s
 * @param onFailure what becomes of a request without an answer
 * @param localSharePercent the share of each limit that this node admits alone, 1 to 100; with 100
 *     a caller who reaches all of n nodes gets n times the limit while the store is away, with
 *     100/n about the limit
 * @param retryEvery while the store is away, how long it is left alone before a few requests try it
 *     again; 10 ms to 10 min
 */
public record GuardOptions(
    Duration timeBudget, OnStoreFailure onFailure, int localSharePercent, Duration retryEvery) {

  /** Far above what Redis in the same network takes, far below what a user notices. */
  public static final Duration DEFAULT_TIME_BUDGET = Duration.ofMillis(50);

  /** A whole limit for each node: nobody within the limit is refused during an outage. */
  public static final int DEFAULT_LOCAL_SHARE_PERCENT = 100;

  /** Often enough to notice a return at once, seldom enough that waiting for nothing is rare. */
  public static final Duration DEFAULT_RETRY_EVERY = Duration.ofSeconds(1);

  /** Checks every range; the message names the rule, the value and the setting. */
  public GuardOptions {
    requireWithin(
        "the time budget",
        timeBudget,
        Duration.ofMillis(1),
        Duration.ofSeconds(10),
        "comporta.store-budget");
    requireWithin(
        "the pause between tries",
        retryEvery,
        Duration.ofMillis(10),
        Duration.ofMinutes(10),
        "retryEvery");
    if (localSharePercent < 1 || localSharePercent > 100) {
      throw new IllegalArgumentException(
          "the local share must be 1 to 100 percent, was "
              + localSharePercent
              + " (comporta.local-share-percent)");
    }
  }

  /** The defaults: 50 ms, this node alone with each whole limit, a new try every second. */
  public static GuardOptions defaults() {
    return new GuardOptions(
        DEFAULT_TIME_BUDGET,
        OnStoreFailure.LOCAL,
        DEFAULT_LOCAL_SHARE_PERCENT,
        DEFAULT_RETRY_EVERY);
  }

  private static void requireWithin(
      String what, Duration value, Duration least, Duration most, String setting) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          what + " must be " + least + " to " + most + ", was " + value + " (" + setting + ")");
    }
  }
}
