package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One limit as it is written: permits per window, how it counts, and for whom. {@code 100/1m} is
 * the grammar everywhere, in annotations and in configuration.
 *
 * @param permits permits per window, 1 to 2 147 483 647
 * @param window 1 ms to 400 days
 * @param burst the most that can be spent at once, 1 to 2 147 483 647; other than {@code permits}
 *     for a token bucket only
 * @param algorithm how it counts
 * @param by whose requests it counts together
 */
public record LimitSpec(long permits, Duration window, long burst, Algorithm algorithm, By by) {

  /** The exact arithmetic of the algorithms is proven up to here; see {@code docs/explanation}. */
  public static final long MAX_PERMITS = Integer.MAX_VALUE;

  /** The shortest window; below it the clocks and the network decide, not the limit. */
  public static final Duration MIN_WINDOW = Duration.ofMillis(1);

  /** The longest window: a leap year and a month of grace. */
  public static final Duration MAX_WINDOW = Duration.ofDays(400);

  private static final BigInteger EXACT_IN_DOUBLES = BigInteger.ONE.shiftLeft(53);

  /** With today's date in microseconds, still below 2^53. */
  private static final BigInteger MAX_REFILL_MICROS =
      BigInteger.valueOf(Duration.ofDays(36_525).toMillis() * 1_000);

  private static final Pattern GRAMMAR = Pattern.compile("([0-9]{1,19})/([0-9]{1,19})(ms|s|m|h|d)");

  private static final Map<String, Long> UNIT_MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  /** Checks every range; the message names the rule and the value. */
  public LimitSpec {
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(by, "by");
    requireRange("permits", permits);
    requireRange("burst", burst);
    if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
      throw new IllegalArgumentException("window must be 1ms to 400d, was " + window);
    }
    if (algorithm != Algorithm.TOKEN_BUCKET && burst != permits) {
      throw new IllegalArgumentException(
          "burst is for TOKEN_BUCKET only, was " + burst + " with " + algorithm);
    }
    if (algorithm == Algorithm.TOKEN_BUCKET) {
      requireExactArithmetic(permits, window, burst);
    }
  }

  /**
   * Reads {@code permits/window}, for example {@code 100/1m}, as a token bucket per caller.
   *
   * @throws IllegalArgumentException if it is not of that form or out of range; the message names
   *     the rule and the value
   */
  public static LimitSpec parse(String text) {
    return parse(text, Algorithm.TOKEN_BUCKET);
  }

  /**
   * Reads {@code permits/window}, counted that way, per caller.
   *
   * @throws IllegalArgumentException if it is not of that form or out of range; the message names
   *     the rule and the value
   */
  public static LimitSpec parse(String text, Algorithm algorithm) {
    Matcher matcher = GRAMMAR.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a limit is permits/window, such as 100/1m (units ms, s, m, h, d), was '" + text + "'");
    }
    long permits = parseSaturated(matcher.group(1));
    long count = parseSaturated(matcher.group(2));
    long unitMillis = Objects.requireNonNull(UNIT_MILLIS.get(matcher.group(3)));
    if (permits < 1 || permits > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be 1 to " + MAX_PERMITS + ", was '" + text + "'");
    }
    if (count < 1 || count > MAX_WINDOW.toMillis() / unitMillis) {
      throw new IllegalArgumentException("window must be 1ms to 400d, was '" + text + "'");
    }
    Duration window = Duration.ofMillis(count * unitMillis);
    return new LimitSpec(permits, window, permits, algorithm, By.CALLER);
  }

  /** This limit, counted that way; a burst is kept for a token bucket only. */
  public LimitSpec countedBy(Algorithm other) {
    return new LimitSpec(
        permits, window, other == Algorithm.TOKEN_BUCKET ? burst : permits, other, by);
  }

  /** This limit, for those. */
  public LimitSpec perEach(By other) {
    return new LimitSpec(permits, window, burst, algorithm, other);
  }

  /** This limit with that burst. */
  public LimitSpec withBurst(long other) {
    return new LimitSpec(permits, window, other, algorithm, by);
  }

  /** The most that one request can cost and still pass. */
  public long maxCost() {
    return burst;
  }

  /** The window in microseconds. */
  public long windowMicros() {
    return window.toMillis() * 1_000;
  }

  /** The window as the grammar writes it, in the largest unit that divides it: {@code 1m}. */
  public String windowText() {
    long millis = window.toMillis();
    for (String unit : new String[] {"d", "h", "m", "s"}) {
      long unitMillis = Objects.requireNonNull(UNIT_MILLIS.get(unit));
      if (millis % unitMillis == 0) {
        return millis / unitMillis + unit;
      }
    }
    return millis + "ms";
  }

  /** Permits and window as the grammar writes them: {@code 100/1m}. */
  @Override
  public String toString() {
    return permits + "/" + windowText();
  }

  private static void requireRange(String name, long value) {
    if (value < 1 || value > MAX_PERMITS) {
      throw new IllegalArgumentException(name + " must be 1 to " + MAX_PERMITS + ", was " + value);
    }
  }

  /*
   * Why there is a bound: the scripts in Redis count in doubles, which are exact up to 2^53, and the
   * two stores must decide alike. A token bucket keeps an instant as whole microseconds and a
   * fraction in units of 1/P, where P is the number of permits once permits and window are reduced
   * by their common divisor; it multiplies that fraction by costs up to the burst. For common limits
   * P is 1, and nothing is refused here.
   */
  private static void requireExactArithmetic(long permits, Duration window, long burst) {
    BigInteger windowMicros = BigInteger.valueOf(window.toMillis() * 1_000);
    BigInteger reduced =
        BigInteger.valueOf(permits).divide(BigInteger.valueOf(permits).gcd(windowMicros));
    BigInteger largest = reduced.multiply(BigInteger.valueOf(burst + 1));
    if (largest.compareTo(EXACT_IN_DOUBLES) >= 0) {
      throw new IllegalArgumentException(
          "burst is too large to be counted exactly at this rate, was " + burst);
    }
    BigInteger refillMicros =
        BigInteger.valueOf(burst).multiply(windowMicros).divide(BigInteger.valueOf(permits));
    if (refillMicros.compareTo(MAX_REFILL_MICROS) > 0) {
      throw new IllegalArgumentException(
          "burst must come back within 100 years at this rate, was " + burst);
    }
  }

  private static long parseSaturated(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException tooLarge) {
      return Long.MAX_VALUE;
    }
  }
}
