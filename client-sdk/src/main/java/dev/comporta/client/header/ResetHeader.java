package dev.comporta.client.header;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Reads when a window ends. The same field holds seconds from now, or an instant since 1970 in
 * seconds, milliseconds, microseconds or nanoseconds, or a date: no server says which, so a number
 * is told by its magnitude. No value makes it throw.
 */
final class ResetHeader {

  /** Three years of seconds: from here on a number is no span. */
  private static final long FIRST_UNREADABLE = 100_000_000L;

  /** The year 2001: from here to the year 5138 a number is an instant in seconds. */
  private static final long FIRST_SECONDS = 1_000_000_000L;

  private static final long FIRST_MILLIS = 100_000_000_000L;
  private static final long FIRST_MICROS = 100_000_000_000_000L;
  private static final long FIRST_NANOS = 100_000_000_000_000_000L;

  /** {@code 2026-11-30T12:00Z} is the shortest date and time. */
  private static final int SHORTEST_DATE = 16;

  private static final int LONGEST_DATE = 64;

  /** How far a wait that is asked and a date without a zone may be apart to mean the same. */
  private static final Duration AGREEMENT = Duration.ofSeconds(2);

  private ResetHeader() {}

  /** The time from the server's clock to the end that the text states, zero when it is past. */
  static Optional<Duration> resetAfter(String text, Reading reading) {
    Optional<Decimal> number = Decimal.parse(text);
    if (number.isPresent()) {
      return number(number.get(), reading.header());
    }
    Optional<Duration> span = GoDuration.parse(text);
    return span.isPresent() || text.length() < SHORTEST_DATE || text.length() > LONGEST_DATE
        ? span
        : date(text, reading);
  }

  private static Optional<Duration> number(Decimal number, HeaderLines header) {
    if (number.whole() < FIRST_UNREADABLE) {
      return Optional.of(number.span(Decimal.SECOND));
    }
    if (number.whole() < FIRST_SECONDS) {
      return Optional.empty();
    }
    long perSecond = unitsPerSecond(number.whole());
    long nanos =
        number.whole() % perSecond * (Decimal.SECOND / perSecond) + number.billionths() / perSecond;
    Instant end = Instant.ofEpochSecond(number.whole() / perSecond, nanos);
    return Optional.of(RetryAfterHeader.until(end, header.serverTime()));
  }

  private static long unitsPerSecond(long number) {
    if (number < FIRST_MILLIS) {
      return 1;
    }
    if (number < FIRST_MICROS) {
      return 1_000;
    }
    return number < FIRST_NANOS ? 1_000_000 : 1_000_000_000;
  }

  private static Optional<Duration> date(String text, Reading reading) {
    Instant now = reading.header().serverTime();
    Optional<Instant> date = HttpDate.parse(text, now);
    if (date.isEmpty() && text.charAt(10) == 'T') {
      date = withZone(text);
    }
    return date.isPresent()
        ? date.map(end -> RetryAfterHeader.until(end, now))
        : withoutZone(text, reading);
  }

  private static Optional<Instant> withZone(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException notDate) {
      return Optional.empty();
    }
  }

  /** {@code 2026-11-30 12:00:40}: taken for UTC only where the wait that is asked says the same. */
  private static Optional<Duration> withoutZone(String text, Reading reading) {
    if (text.length() != 19 || reading.retryAfter().isEmpty()) {
      return Optional.empty();
    }
    try {
      Instant end = LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
      Duration span = RetryAfterHeader.until(end, reading.header().serverTime());
      Duration apart = span.minus(reading.retryAfter().get()).abs();
      return apart.compareTo(AGREEMENT) > 0 ? Optional.empty() : Optional.of(span);
    } catch (DateTimeException notDate) {
      return Optional.empty();
    }
  }
}
