package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;

/**
 * A number as servers write it: digits, with or without a fraction. The digits are the ten of
 * ASCII: {@code Long.parseLong} and {@code Double.parseDouble} would accept signs, exponents,
 * {@code NaN} and the digits of other scripts.
 *
 * @param whole the part before the point, at most {@link Long#MAX_VALUE}
 * @param billionths the part after it, rounded up
 */
record Decimal(long whole, int billionths) {

  static final long SECOND = 1_000_000_000;
  static final long MILLI = 1_000_000;

  /** Longer than any number a server means; what is longer is not read. */
  static final int LONGEST_TEXT = 64;

  private static final int BILLION = 1_000_000_000;
  private static final long LONGEST_NANOS = RetryAfterHeader.LONGEST.toNanos();

  static Optional<Decimal> parse(String text) {
    int end = text.length() > LONGEST_TEXT ? 0 : digits(text, 0);
    if (end == 0) {
      return Optional.empty();
    }
    if (end == text.length()) {
      return Optional.of(new Decimal(whole(text, 0, end), 0));
    }
    boolean hasFraction = text.charAt(end) == '.' && end + 1 < text.length();
    return hasFraction && digits(text, end + 1) == text.length()
        ? Optional.of(new Decimal(whole(text, 0, end), 0).plus(text, end + 1, text.length()))
        : Optional.empty();
  }

  /** The number at that position, which must be a digit. */
  static Decimal at(String text, int start, int end) {
    int point = digits(text, start);
    Decimal whole = new Decimal(whole(text, start, point), 0);
    return point + 1 < end ? whole.plus(text, point + 1, end) : whole;
  }

  /** Where the digits from that position on end. */
  static int digits(String text, int start) {
    int at = start;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  /** So many units as a span of time, rounded up, at most {@link RetryAfterHeader#LONGEST}. */
  Duration span(long nanosPerUnit) {
    return Duration.ofNanos(nanos(nanosPerUnit));
  }

  long nanos(long nanosPerUnit) {
    if (whole >= LONGEST_NANOS / nanosPerUnit) {
      return LONGEST_NANOS;
    }
    long rest =
        nanosPerUnit >= BILLION
            ? billionths * (nanosPerUnit / BILLION)
            : -Math.floorDiv(-billionths * nanosPerUnit, BILLION);
    return Math.min(LONGEST_NANOS, whole * nanosPerUnit + rest);
  }

  double toDouble() {
    return whole + billionths / (double) BILLION;
  }

  private Decimal plus(String text, int start, int end) {
    int fraction = 0;
    for (int i = 0; i < 9; i++) {
      fraction = fraction * 10 + (start + i < end ? text.charAt(start + i) - '0' : 0);
    }
    boolean isCut = false;
    for (int i = start + 9; i < end; i++) {
      isCut |= text.charAt(i) != '0';
    }
    boolean isRoundedUp = isCut && fraction < BILLION - 1;
    return new Decimal(whole, isRoundedUp ? fraction + 1 : fraction);
  }

  private static long whole(String text, int start, int end) {
    long whole = 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (whole > (Long.MAX_VALUE - digit) / 10) {
        return Long.MAX_VALUE;
      }
      whole = whole * 10 + digit;
    }
    return whole;
  }
}
