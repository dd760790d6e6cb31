package dev.comporta.client.header;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The three forms of an HTTP-date (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850 and asctime. The
 * day of the week is not checked: a date with a wrong one is still meant. A second 60 is read as
 * the start of the next minute.
 */
final class HttpDate {

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  /** RFC 9110: a two-digit year that seems farther ahead than this is one of the past century. */
  private static final int FARTHEST_YEARS_AHEAD = 50;

  private static final int LONGEST_DAY_NAME = 9;

  private HttpDate() {}

  /**
   * Reads a date.
   *
   * @param now decides the century of a two-digit year
   */
  static Optional<Instant> parse(String text, Instant now) {
    int day = letters(text);
    if (day == 3 && text.length() == 29 && text.startsWith(", ", 3)) {
      return imfFixdate(text);
    }
    if (day >= 6 && day <= LONGEST_DAY_NAME && text.length() == day + 24) {
      return rfc850(text, day, now);
    }
    return day == 3 && text.length() == 24 ? asctime(text) : Optional.empty();
  }

  /** {@code Mon, 30 Nov 2026 12:00:00 GMT}. */
  private static Optional<Instant> imfFixdate(String text) {
    return isBlankAt(text, 7, 11, 16) && text.endsWith(" GMT")
        ? instant(number(text, 12, 4), month(text, 8), number(text, 5, 2), text, 17)
        : Optional.empty();
  }

  /** {@code Monday, 30-Nov-26 12:00:00 GMT}. */
  private static Optional<Instant> rfc850(String text, int day, Instant now) {
    boolean isForm =
        text.startsWith(", ", day)
            && text.charAt(day + 4) == '-'
            && text.charAt(day + 8) == '-'
            && isBlankAt(text, day + 11)
            && text.endsWith(" GMT");
    int year = isForm ? number(text, day + 9, 2) : -1;
    return year < 0
        ? Optional.empty()
        : instant(
            inCentury(year, now), month(text, day + 5), number(text, day + 2, 2), text, day + 12);
  }

  /** {@code Mon Nov 30 12:00:00 2026}; a day of one digit has a blank before it. */
  private static Optional<Instant> asctime(String text) {
    int day = text.charAt(8) == ' ' ? number(text, 9, 1) : number(text, 8, 2);
    return isBlankAt(text, 3, 7, 10, 19)
        ? instant(number(text, 20, 4), month(text, 4), day, text, 11)
        : Optional.empty();
  }

  private static Optional<Instant> instant(int year, int month, int day, String text, int time) {
    int hour = number(text, time, 2);
    int minute = number(text, time + 3, 2);
    int second = number(text, time + 6, 2);
    boolean isForm = text.charAt(time + 2) == ':' && text.charAt(time + 5) == ':';
    if (!isForm || Math.min(Math.min(year, month), Math.min(day, hour)) < 0) {
      return Optional.empty();
    }
    boolean isLeapSecond = second == 60;
    try {
      Instant instant =
          LocalDate.of(year, month, day)
              .atTime(LocalTime.of(hour, minute, isLeapSecond ? 59 : second))
              .toInstant(ZoneOffset.UTC);
      return Optional.of(isLeapSecond ? instant.plusSeconds(1) : instant);
    } catch (DateTimeException notDate) {
      return Optional.empty();
    }
  }

  private static int inCentury(int written, Instant now) {
    int thisYear = now.atOffset(ZoneOffset.UTC).getYear();
    int year = thisYear - thisYear % 100 + written;
    return year > thisYear + FARTHEST_YEARS_AHEAD ? year - 100 : year;
  }

  private static int letters(String text) {
    int end = 0;
    while (end < text.length() && end <= LONGEST_DAY_NAME && isLetter(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isBlankAt(String text, int... positions) {
    for (int position : positions) {
      if (text.charAt(position) != ' ') {
        return false;
      }
    }
    return true;
  }

  /** From 1, or a number that no date has. */
  private static int month(String text, int start) {
    int at = MONTHS.indexOf(text.substring(start, start + 3));
    return at >= 0 && at % 3 == 0 ? at / 3 + 1 : Integer.MIN_VALUE;
  }

  /** Digits of ASCII, or a number that no date has. */
  private static int number(String text, int start, int length) {
    int number = 0;
    for (int i = start; i < start + length; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Integer.MIN_VALUE;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
