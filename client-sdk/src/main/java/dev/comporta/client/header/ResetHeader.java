package dev.comporta.client.header;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Reads when a window ends. The same field holds seconds from now, or an instant since 1970 in
 * seconds, milliseconds, microseconds or nanoseconds, or a date: no server says which, so a number
 * is told by its magnitude. No value makes it throw.
 */
final class ResetHeader {

  /** Three years of seconds: above this a number is no span. */
  private static final BigDecimal LARGEST_SPAN = BigDecimal.ONE.movePointRight(8);

  /** The year 2001: from here to the year 5138 a number is an instant in seconds. */
  private static final BigDecimal FIRST_SECONDS = BigDecimal.ONE.movePointRight(9);

  private static final BigDecimal FIRST_MILLIS = BigDecimal.ONE.movePointRight(11);
  private static final BigDecimal FIRST_MICROS = BigDecimal.ONE.movePointRight(14);
  private static final BigDecimal FIRST_NANOS = BigDecimal.ONE.movePointRight(17);

  private ResetHeader() {}

  /** The time from the server's clock to the end that the text states, zero when it is past. */
  static Optional<Duration> resetAfter(String text, Instant serverTime) {
    return Numerals.decimal(text)
        .map(number -> number(number, serverTime))
        .orElseGet(
            () ->
                Numerals.goDuration(text)
                    .or(
                        () ->
                            date(text, serverTime)
                                .map(d -> RetryAfterHeader.until(d, serverTime))));
  }

  private static Optional<Duration> number(BigDecimal number, Instant serverTime) {
    if (number.compareTo(LARGEST_SPAN) < 0) {
      return Optional.of(Numerals.saturated(number));
    }
    if (number.compareTo(FIRST_SECONDS) < 0) {
      return Optional.empty();
    }
    BigDecimal seconds = number.movePointLeft(fractionDigits(number));
    BigDecimal now =
        BigDecimal.valueOf(serverTime.getEpochSecond())
            .add(BigDecimal.valueOf(serverTime.getNano(), 9));
    return Optional.of(Numerals.saturated(seconds.subtract(now)));
  }

  private static int fractionDigits(BigDecimal number) {
    if (number.compareTo(FIRST_MILLIS) < 0) {
      return 0;
    }
    if (number.compareTo(FIRST_MICROS) < 0) {
      return 3;
    }
    return number.compareTo(FIRST_NANOS) < 0 ? 6 : 9;
  }

  private static Optional<Instant> date(String text, Instant serverTime) {
    Optional<Instant> httpDate = HttpDate.parse(text, serverTime);
    if (httpDate.isPresent()) {
      return httpDate;
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException notADate) {
      return Optional.empty();
    }
  }
}
