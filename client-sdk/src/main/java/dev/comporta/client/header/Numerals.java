package dev.comporta.client.header;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers and spans of time as servers write them. The digits are the ten of ASCII: {@code
 * Long.parseLong} and {@code Double.parseDouble} would accept signs, exponents, {@code NaN} and the
 * digits of other scripts.
 */
final class Numerals {

  /** Longer than any number a server means; what is longer is not read. */
  private static final int LONGEST_TEXT = 64;

  private static final Pattern DECIMAL = Pattern.compile("[0-9]+(?:\\.[0-9]+)?");
  private static final Pattern GO_PART =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(h|ms|m|us|µs|ns|s)");
  private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);

  private Numerals() {}

  /** Digits with or without a fraction, such as {@code 30} or {@code 0.493}. */
  static Optional<BigDecimal> decimal(String text) {
    if (text.length() > LONGEST_TEXT || !DECIMAL.matcher(text).matches()) {
      return Optional.empty();
    }
    return Optional.of(new BigDecimal(text));
  }

  /** A span in the notation of Go, such as {@code 1m0s}, {@code 12ms} or {@code 4.321s}. */
  static Optional<Duration> goDuration(String text) {
    if (text.isEmpty() || text.length() > LONGEST_TEXT) {
      return Optional.empty();
    }
    Matcher part = GO_PART.matcher(text);
    BigDecimal seconds = BigDecimal.ZERO;
    int end = 0;
    while (part.find() && part.start() == end) {
      seconds = seconds.add(new BigDecimal(part.group(1)).multiply(secondsOf(part.group(2))));
      end = part.end();
    }
    return end == text.length() ? Optional.of(saturated(seconds)) : Optional.empty();
  }

  /** The span of so many seconds, not negative, at most {@link RetryAfterHeader#LONGEST}. */
  static Duration saturated(BigDecimal seconds) {
    if (seconds.signum() <= 0) {
      return Duration.ZERO;
    }
    if (seconds.compareTo(BigDecimal.valueOf(RetryAfterHeader.LONGEST.toSeconds())) >= 0) {
      return RetryAfterHeader.LONGEST;
    }
    return Duration.ofNanos(seconds.multiply(NANOS).longValue());
  }

  private static BigDecimal secondsOf(String unit) {
    return switch (unit) {
      case "h" -> BigDecimal.valueOf(3600);
      case "m" -> BigDecimal.valueOf(60);
      case "s" -> BigDecimal.ONE;
      case "ms" -> BigDecimal.ONE.movePointLeft(3);
      case "ns" -> BigDecimal.ONE.movePointLeft(9);
      default -> BigDecimal.ONE.movePointLeft(6);
    };
  }
}
