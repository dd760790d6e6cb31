package dev.comporta.client.pacing;

/**
 * What the answers tell of one fixed window: when it ends, how many requests it has counted, and
 * how many of them were sent from here. Micros.
 */
final class CountedWindow {

  private double earliestEnd;
  private double latestEnd;
  private double countedBefore;
  private double counted;
  private double countedFromHere;
  private long countedUntil = Long.MIN_VALUE;

  /** A window that ends at that time or between. */
  CountedWindow(double earliestEnd, double latestEnd) {
    this.earliestEnd = earliestEnd;
    this.latestEnd = latestEnd;
  }

  /** So many windows later than this one that window is which ends there. */
  double windowsUntil(double earliest, double latest, double windowMicros) {
    return Math.rint((earliest + latest - earliestEnd - latestEnd) / 2 / windowMicros);
  }

  /** The window that ends that much later, if clocks drift by that part of it. */
  CountedWindow later(double micros, double drift) {
    double error = drift * micros;
    return new CountedWindow(earliestEnd + micros - error, latestEnd + micros + error);
  }

  /**
   * Takes that an answer told this window.
   *
   * @param counted requests it has counted, that of the answer among them
   * @param isCounted whether that of the answer is counted: it is not when it was refused
   */
  void take(double earliest, double latest, double counted, boolean isCounted, long now) {
    double begin = Math.max(earliestEnd, earliest);
    double end = Math.min(latestEnd, latest);
    earliestEnd = Math.min(begin, end);
    latestEnd = Math.max(begin, end);
    countedFromHere += isCounted ? 1 : 0;
    if (counted > this.counted) {
      this.counted = counted;
      countedUntil = now;
    }
  }

  /** The earliest instant at which it may end. */
  double earliestEnd() {
    return earliestEnd;
  }

  /** Takes that somebody else had sent so many before we came. */
  void begin(double countedBefore) {
    this.countedBefore = countedBefore;
  }

  /** Requests that are counted since we came and are not known to have left from here. */
  double notFromHere() {
    return counted - countedBefore - countedFromHere;
  }

  /** Who leaves later is certainly not among those that are known to be counted. */
  double closed() {
    return Math.min(latestEnd, (double) countedUntil);
  }
}
