package dev.comporta.server.policy;

/**
 * The windows of a limit on the line of time: equal spans since the epoch, or days, weeks or months
 * of a calendar. Instants are microseconds since the epoch. Immutable.
 */
public sealed interface LimitWindow permits SpanWindow, CalendarWindow {

  /** The first instant of the window that holds this one. */
  long startMicros(long instantMicros);

  /** The first instant after the window that holds this one. */
  long endMicros(long instantMicros);

  /**
   * How long a window is. Of a calendar, the longest without a change of the clocks: a day of 24
   * hours, a week of 7 days, a month of 31.
   */
  long lengthMicros();

  /** As the grammar of limits writes it: {@code 1m}, {@code day}. */
  String text();
}
