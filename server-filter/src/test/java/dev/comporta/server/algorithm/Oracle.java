package dev.comporta.server.algorithm;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** A limiter that keeps every admission and counts naively, in exact fractions. Time only rises. */
interface Oracle {

  /** Whether the cost fits now. */
  boolean admits(long cost, long nowMicros);

  /** Takes the cost. */
  void charge(long cost, long nowMicros);

  /** A bucket whose level is an exact fraction of permits. */
  static Oracle bucket(long permits, long windowMicros, long burst) {
    return new Oracle() {
      /** The level in units of 1/windowMicros permits, so that it is whole at every microsecond. */
      private BigInteger level = big(burst).multiply(big(windowMicros));

      private long last;

      private BigInteger levelAt(long nowMicros) {
        BigInteger refilled = level.add(big(nowMicros - last).multiply(big(permits)));
        return refilled.min(big(burst).multiply(big(windowMicros)));
      }

      @Override
      public boolean admits(long cost, long nowMicros) {
        return levelAt(nowMicros).compareTo(big(cost).multiply(big(windowMicros))) >= 0;
      }

      @Override
      public void charge(long cost, long nowMicros) {
        level = levelAt(nowMicros).subtract(big(cost).multiply(big(windowMicros)));
        last = nowMicros;
      }
    };
  }

  /** A weighted window that looks at every admission there ever was. */
  static Oracle weightedWindow(long permits, long windowMicros) {
    return new Oracle() {
      private final List<long[]> admissions = new ArrayList<>();

      private BigInteger countIn(long windowNumber) {
        return admissions.stream()
            .filter(admission -> Math.floorDiv(admission[0], windowMicros) == windowNumber)
            .map(admission -> big(admission[1]))
            .reduce(BigInteger.ZERO, BigInteger::add);
      }

      @Override
      public boolean admits(long cost, long nowMicros) {
        long number = Math.floorDiv(nowMicros, windowMicros);
        BigInteger left = big((number + 1) * windowMicros - nowMicros);
        BigInteger scaled =
            countIn(number)
                .add(big(cost))
                .multiply(big(windowMicros))
                .add(countIn(number - 1).multiply(left));
        return scaled.compareTo(big(permits).multiply(big(windowMicros))) <= 0;
      }

      @Override
      public void charge(long cost, long nowMicros) {
        admissions.add(new long[] {nowMicros, cost});
      }
    };
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
