package dev.comporta.client.header;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The three forms of an HTTP-date (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850 and asctime. The
 * day of the week is not checked: a date with a wrong one is still meant. A second 60 is read as
 * the start of the next minute.
 */
final class HttpDate {

  private static final String TIME = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})";
  private static final List<Pattern> FORMS =
      List.of(
          Pattern.compile(
              "[A-Za-z]{3}, (?<day>[0-9]{2}) (?<month>[A-Za-z]{3}) (?<year>[0-9]{4}) "
                  + TIME
                  + " GMT"),
          Pattern.compile(
              "[A-Za-z]{6,9}, (?<day>[0-9]{2})-(?<month>[A-Za-z]{3})-(?<year>[0-9]{2}) "
                  + TIME
                  + " GMT"),
          Pattern.compile(
              "[A-Za-z]{3} (?<month>[A-Za-z]{3}) (?<day>[ 0-9][0-9]) "
                  + TIME
                  + " (?<year>[0-9]{4})"));
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  /** RFC 9110: a two-digit year that seems farther ahead than this is one of the past century. */
  private static final int FARTHEST_YEARS_AHEAD = 50;

  private HttpDate() {}

  /**
   * Reads a date.
   *
   * @param now decides the century of a two-digit year
   */
  static Optional<Instant> parse(String text, Instant now) {
    return FORMS.stream()
        .map(form -> form.matcher(text))
        .filter(Matcher::matches)
        .findFirst()
        .flatMap(date -> instant(date, now));
  }

  private static Optional<Instant> instant(Matcher date, Instant now) {
    int month = MONTHS.indexOf(date.group("month")) + 1;
    int second = Integer.parseInt(date.group("second"));
    boolean isLeapSecond = second == 60;
    try {
      LocalDate day =
          LocalDate.of(year(date, now), month, Integer.parseInt(date.group("day").strip()));
      LocalTime time =
          LocalTime.of(
              Integer.parseInt(date.group("hour")),
              Integer.parseInt(date.group("minute")),
              isLeapSecond ? 59 : second);
      Instant instant = LocalDateTime.of(day, time).toInstant(ZoneOffset.UTC);
      return Optional.of(isLeapSecond ? instant.plusSeconds(1) : instant);
    } catch (DateTimeException notADate) {
      return Optional.empty();
    }
  }

  private static int year(Matcher date, Instant now) {
    int written = Integer.parseInt(date.group("year"));
    if (date.group("year").length() == 4) {
      return written;
    }
    int thisYear = now.atOffset(ZoneOffset.UTC).getYear();
    int year = thisYear - thisYear % 100 + written;
    return year > thisYear + FARTHEST_YEARS_AHEAD ? year - 100 : year;
  }
}
