package dev.comporta.client.header;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads how long a response asks its client to wait: {@code Retry-After} (RFC 9110, section
 * 10.2.3), or one of its relatives in milliseconds, which are more precise and are asked first.
 *
 * <p>Fractions and spans such as {@code 1m0s} are accepted, since servers send them; signs,
 * exponents and digits of other scripts are not. A date is measured against the {@code Date} of the
 * response. A field sent twice counts by its largest valid value. No value makes it throw.
 */
public final class RetryAfterHeader {

  /** The longest wait that is told apart from longer ones: 2^31 seconds, as in RFC 9111, 1.2.2. */
  public static final Duration LONGEST = Duration.ofSeconds(1L << 31);

  private static final List<String> IN_MILLIS =
      List.of("Retry-After-Ms", "X-Ms-Retry-After-Ms", "X-Amz-Retry-After");
  private static final List<String> IN_SECONDS = List.of("Retry-After", "X-RateLimit-Retry-After");

  private RetryAfterHeader() {}

  static Optional<Duration> read(HeaderLines header) {
    Stream<Optional<Duration>> millis =
        IN_MILLIS.stream().map(name -> largest(header, name, RetryAfterHeader::millis));
    Stream<Optional<Duration>> seconds =
        IN_SECONDS.stream()
            .map(name -> largest(header, name, text -> wait(text, header.serverTime())));
    return Stream.concat(millis, seconds).flatMap(Optional::stream).findFirst();
  }

  private static Optional<Duration> largest(HeaderLines header, String name, Reading reading) {
    return header.of(name).stream()
        .flatMap(line -> inLine(line, reading))
        .max(Comparator.naturalOrder());
  }

  /** A line holds one value, or several joined by commas; a date has a comma of its own. */
  private static Stream<Duration> inLine(String line, Reading reading) {
    Optional<Duration> whole = reading.of(line);
    if (whole.isPresent()) {
      return whole.stream();
    }
    return Arrays.stream(line.split(",", -1))
        .map(String::strip)
        .flatMap(part -> reading.of(part).stream());
  }

  private static Optional<Duration> millis(String text) {
    return Numerals.decimal(text).map(millis -> Numerals.saturated(millis.movePointLeft(3)));
  }

  private static Optional<Duration> wait(String text, Instant serverTime) {
    return Numerals.decimal(text)
        .map(Numerals::saturated)
        .or(() -> Numerals.goDuration(text))
        .or(() -> HttpDate.parse(text, serverTime).map(date -> until(date, serverTime)));
  }

  /** The span from one instant to another, zero when it is past, saturated. */
  static Duration until(Instant date, Instant serverTime) {
    Duration span = Duration.between(serverTime, date);
    return Numerals.saturated(
        BigDecimal.valueOf(span.getSeconds()).add(BigDecimal.valueOf(span.getNano(), 9)));
  }

  private interface Reading {
    Optional<Duration> of(String text);
  }
}
