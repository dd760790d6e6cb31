package dev.comporta.server.policy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.Objects;

/**
 * Days, weeks or months as a clock on the wall in a time zone shows them: a day on which clocks
 * change has 23 or 25 hours, a month its own number of days.
 *
 * @param unit which of them
 * @param zone where the clock hangs
 */
public record CalendarWindow(Unit unit, ZoneId zone) implements LimitWindow {

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  /** What a window is. */
  public enum Unit {
    /** From midnight to midnight. */
    DAY(1),

    /** From Monday to Sunday (ISO 8601). */
    WEEK(7),

    /** From the first to the last day of a month. */
    MONTH(31);

    private final int days;

    Unit(int days) {
      this.days = days;
    }

    /** As the grammar of limits writes it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    private LocalDate first(LocalDate date) {
      return switch (this) {
        case DAY -> date;
        case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        case MONTH -> date.withDayOfMonth(1);
      };
    }

    private LocalDate next(LocalDate first) {
      return switch (this) {
        case DAY -> first.plusDays(1);
        case WEEK -> first.plusWeeks(1);
        case MONTH -> first.plusMonths(1);
      };
    }
  }

  /** Takes both as they are. */
  public CalendarWindow {
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(zone, "zone");
  }

  @Override
  public long startMicros(long instantMicros) {
    return startOf(firstDay(instantMicros));
  }

  @Override
  public long endMicros(long instantMicros) {
    return startOf(unit.next(firstDay(instantMicros)));
  }

  @Override
  public long lengthMicros() {
    return Duration.ofDays(unit.days).toSeconds() * MICROS_PER_SECOND;
  }

  @Override
  public String text() {
    return unit.text();
  }

  /**
   * The first day of the window. A clock that is put back over midnight shows the last hour of the
   * old day again after the new one has begun; that hour is of the new day, or windows would
   * overlap.
   */
  private LocalDate firstDay(long instantMicros) {
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(instantMicros, MICROS_PER_SECOND),
            Math.floorMod(instantMicros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    LocalDate first = unit.first(LocalDate.ofInstant(instant, zone));
    LocalDate next = unit.next(first);
    return startOf(next) <= instantMicros ? next : first;
  }

  private long startOf(LocalDate date) {
    return date.atStartOfDay(zone).toEpochSecond() * MICROS_PER_SECOND;
  }
}
