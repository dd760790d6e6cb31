package dev.comporta.client.retry;

/**
 * What is left of a {@link RetryBudget}. Counted in millionths of a repetition: a first sending
 * adds {@code percent} hundredths, and a microsecond {@code perSecond} millionths. Thread-safe.
 */
final class RetryAccount {

  private static final long RETRY = 1_000_000;
  private static final long MOST_EARNED = 100 * RETRY;
  private static final long SAVED_MICROS = 10_000_000;

  private final RetryBudget budget;
  private long earned;
  private long floor;
  private long atMicros;

  RetryAccount(RetryBudget budget, long nowMicros) {
    this.budget = budget;
    this.floor = mostFloor();
    this.atMicros = nowMicros;
  }

  /** A request is sent for the first time. */
  synchronized void sent() {
    earned = Math.min(MOST_EARNED, earned + budget.percent() * (RETRY / 100));
  }

  /** Takes one repetition, if there is one. */
  synchronized boolean tryTake(long nowMicros) {
    long passed = Math.min(SAVED_MICROS, Math.max(0, nowMicros - atMicros));
    floor = Math.min(mostFloor(), floor + passed * budget.perSecond());
    atMicros = Math.max(atMicros, nowMicros);
    if (floor >= RETRY) {
      floor -= RETRY;
      return true;
    }
    if (earned + floor >= RETRY) {
      earned -= RETRY - floor;
      floor = 0;
      return true;
    }
    return false;
  }

  private long mostFloor() {
    return SAVED_MICROS * budget.perSecond();
  }
}
