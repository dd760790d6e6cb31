package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.policy.CalendarWindow.Unit;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarWindowTest {

  private static long micros(String instant) {
    return Instant.parse(instant).toEpochMilli() * 1_000;
  }

  @ParameterizedTest
  @CsvSource({
    "DAY, UTC, 2026-11-30T12:00:00Z, 2026-11-30T00:00:00Z, 2026-12-01T00:00:00Z",
    "DAY, Europe/Lisbon, 2026-03-29T12:00:00Z, 2026-03-29T00:00:00Z, 2026-03-29T23:00:00Z",
    "DAY, Europe/Lisbon, 2026-10-25T12:00:00Z, 2026-10-24T23:00:00Z, 2026-10-26T00:00:00Z",
    "DAY, Australia/Lord_Howe, 2026-10-03T20:00:00Z, 2026-10-03T13:30:00Z, 2026-10-04T13:00:00Z",
    "DAY, Australia/Lord_Howe, 2026-04-04T20:00:00Z, 2026-04-04T13:00:00Z, 2026-04-05T13:30:00Z",
    "DAY, America/Havana, 2026-11-01T12:00:00Z, 2026-11-01T04:00:00Z, 2026-11-02T05:00:00Z",
    "DAY, Pacific/Apia, 2011-12-30T09:59:59Z, 2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
    "DAY, Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
    "WEEK, UTC, 2026-11-29T23:59:59.999Z, 2026-11-23T00:00:00Z, 2026-11-30T00:00:00Z",
    "WEEK, UTC, 2026-11-30T00:00:00Z, 2026-11-30T00:00:00Z, 2026-12-07T00:00:00Z",
    "WEEK, Europe/Lisbon, 2026-10-20T12:00:00Z, 2026-10-18T23:00:00Z, 2026-10-26T00:00:00Z",
    "WEEK, UTC, 2027-01-01T12:00:00Z, 2026-12-28T00:00:00Z, 2027-01-04T00:00:00Z",
    "MONTH, UTC, 2026-02-10T12:00:00Z, 2026-02-01T00:00:00Z, 2026-03-01T00:00:00Z",
    "MONTH, UTC, 2028-02-29T12:00:00Z, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
    "MONTH, UTC, 2026-12-31T23:59:59Z, 2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z",
    "MONTH, Europe/Lisbon, 2026-10-25T12:00:00Z, 2026-09-30T23:00:00Z, 2026-11-01T00:00:00Z",
  })
  void windowsBeginAndEndWithTheCalendar(
      Unit unit, String zone, String at, String start, String end) {
    CalendarWindow window = new CalendarWindow(unit, ZoneId.of(zone));

    assertThat(window.startMicros(micros(at))).isEqualTo(micros(start));
    assertThat(window.endMicros(micros(at))).isEqualTo(micros(end));
  }

  @Test
  void clockThatIsPutBackOverMidnightBeginsTheDayOnce() {
    ZoneId zone = ZoneId.of("America/St_Johns");
    CalendarWindow days = new CalendarWindow(Unit.DAY, zone);
    long midnight = ZonedDateTime.of(2010, 11, 7, 0, 0, 0, 0, zone).toEpochSecond() * 1_000_000;
    long shownAsTheDayBefore = midnight + 30 * 60_000_000L;

    assertThat(days.endMicros(midnight - 1)).isEqualTo(midnight);
    assertThat(days.startMicros(shownAsTheDayBefore)).isEqualTo(midnight);
  }

  @ParameterizedTest
  @CsvSource({
    "DAY, Australia/Lord_Howe",
    "DAY, America/St_Johns",
    "DAY, America/Sao_Paulo",
    "DAY, Pacific/Apia",
    "WEEK, Europe/Lisbon",
    "MONTH, Asia/Kathmandu",
    "MONTH, America/Sao_Paulo"
  })
  void windowsFollowEachOtherWithoutGapOrOverlap(Unit unit, String zone) {
    CalendarWindow window = new CalendarWindow(unit, ZoneId.of(zone));
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      long at = random.nextLong(2_500_000_000_000_000L);
      long start = window.startMicros(at);
      long end = window.endMicros(at);

      assertThat(at).as("%s %s at %d, seed 11", unit, zone, at).isBetween(start, end - 1);
      assertThat(window.startMicros(end - 1)).as("at %d, seed 11", at).isEqualTo(start);
      assertThat(window.startMicros(end)).as("at %d, seed 11", at).isEqualTo(end);
      assertThat(window.endMicros(start)).as("at %d, seed 11", at).isEqualTo(end);
    }
  }
}
