package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A span of time in the notation of Go, such as {@code 1m0s}, {@code 12ms} or {@code 4.321s}. */
final class GoDuration {

  private static final long LONGEST = RetryAfterHeader.LONGEST.toNanos();

  private GoDuration() {}

  /** The span, at most {@link RetryAfterHeader#LONGEST}; empty when the text is none. */
  static Optional<Duration> parse(String text) {
    if (text.isEmpty() || text.length() > Decimal.LONGEST_TEXT) {
      return Optional.empty();
    }
    long nanos = 0;
    int at = 0;
    while (at < text.length()) {
      int end = number(text, at);
      int unitEnd = unitEnd(text, end);
      OptionalLong unit = end > at ? unit(text.substring(end, unitEnd)) : OptionalLong.empty();
      if (unit.isEmpty()) {
        return Optional.empty();
      }
      // Neither summand is longer than 2^31 s, so the sum of two fits.
      nanos = Math.min(LONGEST, nanos + Decimal.at(text, at, end).nanos(unit.getAsLong()));
      at = unitEnd;
    }
    return Optional.of(Duration.ofNanos(nanos));
  }

  private static int number(String text, int start) {
    int end = Decimal.digits(text, start);
    if (end == start || end >= text.length() || text.charAt(end) != '.') {
      return end;
    }
    int fractionEnd = Decimal.digits(text, end + 1);
    return fractionEnd > end + 1 ? fractionEnd : end;
  }

  private static int unitEnd(String text, int start) {
    int end = start;
    while (end < text.length() && "hmsnuµ".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }

  private static OptionalLong unit(String unit) {
    return switch (unit) {
      case "h" -> OptionalLong.of(3600 * Decimal.SECOND);
      case "m" -> OptionalLong.of(60 * Decimal.SECOND);
      case "s" -> OptionalLong.of(Decimal.SECOND);
      case "ms" -> OptionalLong.of(Decimal.MILLI);
      case "us", "µs" -> OptionalLong.of(1_000);
      case "ns" -> OptionalLong.of(1);
      default -> OptionalLong.empty();
    };
  }
}
