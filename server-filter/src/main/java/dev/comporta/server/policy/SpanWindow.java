package dev.comporta.server.policy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Windows of one length, which begin at multiples of it since the epoch.
 *
 * @param length 1 ms to 400 days, in whole milliseconds
 */
public record SpanWindow(Duration length) implements LimitWindow {

  private static final long MICROS_PER_MILLI = 1_000;

  /** The largest first. */
  private static final Map<String, Long> UNIT_MILLIS = new LinkedHashMap<>();

  static {
    UNIT_MILLIS.put("d", 86_400_000L);
    UNIT_MILLIS.put("h", 3_600_000L);
    UNIT_MILLIS.put("m", 60_000L);
    UNIT_MILLIS.put("s", 1_000L);
    UNIT_MILLIS.put("ms", 1L);
  }

  /** Checks the range. */
  public SpanWindow {
    if (length.compareTo(LimitSpec.MIN_WINDOW) < 0 || length.compareTo(LimitSpec.MAX_WINDOW) > 0) {
      throw new IllegalArgumentException("window must be 1ms to 400d, was " + length);
    }
    length = Duration.ofMillis(length.toMillis());
  }

  /** How many milliseconds a unit of the grammar has; it must be one. */
  static long unitMillis(String unit) {
    return UNIT_MILLIS.getOrDefault(unit, 0L);
  }

  @Override
  public long startMicros(long instantMicros) {
    return Math.floorDiv(instantMicros, lengthMicros()) * lengthMicros();
  }

  @Override
  public long endMicros(long instantMicros) {
    return startMicros(instantMicros) + lengthMicros();
  }

  @Override
  public long lengthMicros() {
    return length.toMillis() * MICROS_PER_MILLI;
  }

  /** In the largest unit that divides it. */
  @Override
  public String text() {
    long millis = length.toMillis();
    return UNIT_MILLIS.entrySet().stream()
        .filter(unit -> millis % unit.getValue() == 0)
        .map(unit -> millis / unit.getValue() + unit.getKey())
        .findFirst()
        .orElseThrow();
  }
}
