package dev.comporta.client.header;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The wait that a response asks for: {@code Retry-After} (RFC 9110, section 10.2.3), or one of its
 * relatives, of which those in milliseconds are more precise and are asked first.
 *
 * <p>Fractions and spans such as {@code 1m0s} are accepted, since servers send them; signs,
 * exponents and digits of other scripts are not. A date is measured against the {@code Date} of the
 * response. A field sent twice counts by its largest valid value. No value makes it throw.
 */
public final class RetryAfterHeader {

  /** The longest wait that is told apart from longer ones: 2^31 seconds, as in RFC 9111, 1.2.2. */
  public static final Duration LONGEST = Duration.ofSeconds(1L << 31);

  private RetryAfterHeader() {}

  /** The largest value of a field; a plain number counts so many nanoseconds each. */
  static Optional<Duration> read(HeaderLines header, FieldName name, long nanosPerUnit) {
    List<String> lines = header.of(name);
    Optional<Duration> largest = Optional.empty();
    for (String line : lines) {
      largest = larger(largest, line(line, header, nanosPerUnit));
    }
    return largest;
  }

  /** The later of two waits; one that is not told does not count. */
  static Optional<Duration> larger(Optional<Duration> one, Optional<Duration> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return one.get().compareTo(other.get()) >= 0 ? one : other;
  }

  /** The span from one instant to another, zero when it is past, saturated. */
  static Duration until(Instant date, Instant serverTime) {
    Duration span = Duration.between(serverTime, date);
    if (span.isNegative()) {
      return Duration.ZERO;
    }
    return span.compareTo(LONGEST) > 0 ? LONGEST : span;
  }

  /** A line holds one value, or several joined by commas; a date has a comma of its own. */
  private static Optional<Duration> line(String line, HeaderLines header, long nanosPerUnit) {
    Optional<Duration> whole = value(line, header, nanosPerUnit);
    if (whole.isPresent() || line.indexOf(',') < 0) {
      return whole;
    }
    Optional<Duration> largest = Optional.empty();
    for (String part : HeaderLines.members(line)) {
      largest = larger(largest, value(part, header, nanosPerUnit));
    }
    return largest;
  }

  private static Optional<Duration> value(String text, HeaderLines header, long nanosPerUnit) {
    Optional<Decimal> number = Decimal.parse(text);
    if (number.isPresent()) {
      return Optional.of(number.get().span(nanosPerUnit));
    }
    Optional<Duration> span = GoDuration.parse(text);
    if (span.isPresent() || nanosPerUnit != Decimal.SECOND) {
      return span;
    }
    Instant now = header.serverTime();
    return HttpDate.parse(text, now).map(date -> until(date, now));
  }
}
