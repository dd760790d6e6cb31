package dev.comporta.server.algorithm;

import java.math.BigInteger;

/** {@code a·b/c} for longs that are not negative, exact even where {@code a·b} does not fit. */
final class Ratio {

  private Ratio() {}

  /** The quotient, rounded down. */
  static long floor(long a, long b, long c) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) {
      return a * b / c;
    }
    return product(a, b).divide(BigInteger.valueOf(c)).longValueExact();
  }

  /** The quotient, rounded up. */
  static long ceil(long a, long b, long c) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) {
      long product = a * b;
      return product / c + (product % c == 0 ? 0 : 1);
    }
    BigInteger[] parts = product(a, b).divideAndRemainder(BigInteger.valueOf(c));
    return parts[0].longValueExact() + parts[1].signum();
  }

  /**
   * {@code (a·b + d)/c}, rounded up; {@link Long#MAX_VALUE} where it does not fit.
   *
   * @param d at least 0, as the others
   */
  static long ceilSaturated(long a, long b, long d, long c) {
    BigInteger[] parts =
        product(a, b).add(BigInteger.valueOf(d)).divideAndRemainder(BigInteger.valueOf(c));
    return saturated(parts[0].add(BigInteger.valueOf(parts[1].signum())));
  }

  /**
   * {@code (a·b − d)/c}, rounded down, also below zero; {@link Long#MAX_VALUE} where it does not
   * fit.
   *
   * @param d at least 0, as the others
   */
  static long floorSaturated(long a, long b, long d, long c) {
    BigInteger numerator = product(a, b).subtract(BigInteger.valueOf(d));
    BigInteger[] parts = numerator.divideAndRemainder(BigInteger.valueOf(c));
    return saturated(parts[0].subtract(parts[1].signum() < 0 ? BigInteger.ONE : BigInteger.ZERO));
  }

  /**
   * What is left of {@code a·b + d} once all whole {@code c} are taken out.
   *
   * @param d at least 0, as the others
   */
  static long remainder(long a, long b, long d, long c) {
    return product(a, b).add(BigInteger.valueOf(d)).mod(BigInteger.valueOf(c)).longValueExact();
  }

  private static long saturated(BigInteger value) {
    return value.bitLength() < Long.SIZE ? value.longValueExact() : Long.MAX_VALUE;
  }

  private static BigInteger product(long a, long b) {
    return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
  }
}
