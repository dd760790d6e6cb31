package dev.comporta.client.retry;

/**
 * How many of the requests of a client may be repetitions, so that a server in trouble does not get
 * a multiple of its load. In any span of time there are at most {@code percent} repetitions for 100
 * first sendings, and {@code perSecond} for each second besides; what is not used is saved up to
 * ten seconds' worth of the second, and a hundred repetitions of the first.
 *
 * @param percent 0 or more; 20 by default
 * @param perSecond the floor, for clients that send little, 0 or more; 2 by default
 */
public record RetryBudget(int percent, int perSecond) {

  private static final int MOST_PERCENT = 10_000;
  private static final int MOST_PER_SECOND = 1_000_000;

  public RetryBudget {
    if (percent < 0 || percent > MOST_PERCENT) {
      throw new IllegalArgumentException(
          "percent of the retry budget must be from 0 to %d, was %d"
              .formatted(MOST_PERCENT, percent));
    }
    if (perSecond < 0 || perSecond > MOST_PER_SECOND) {
      throw new IllegalArgumentException(
          "perSecond of the retry budget must be from 0 to %d, was %d"
              .formatted(MOST_PER_SECOND, perSecond));
    }
  }

  /** 20 for 100 first sendings, and 2 a second. */
  public static RetryBudget defaults() {
    return new RetryBudget(20, 2);
  }
}
