package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.Estimate;
import java.math.BigInteger;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/**
 * One limit as it is written: permits per window, how it counts, and for whom.
 *
 * <p>The grammar is the same in annotations and in configuration: {@code permits/window}, then what
 * else there is to say in any order, {@code 100/1m;burst=20;by=address}. A window is a span ({@code
 * 500ms}, {@code 1s}, {@code 15m}, {@code 1h}, {@code 1d}) or one of the calendar ({@code day},
 * {@code week}, {@code month}), which a fixed window alone can count.
 *
 * @param permits permits per window, 1 to 2 147 483 647
 * @param limitWindow where windows begin and end; {@link #window()} is its length
 * @param counting how it counts
 * @param audience whose requests it counts together
 * @param isShadow whether it only watches: it counts, and refuses nothing
 */
public record LimitSpec(
    long permits, LimitWindow limitWindow, Counting counting, Audience audience, boolean isShadow) {

  /** The exact arithmetic of the algorithms is proven up to here; see {@code docs/explanation}. */
  public static final long MAX_PERMITS = Integer.MAX_VALUE;

  /**
   * An exact log of more would cost more memory per caller (16 bytes a permit) than it is worth.
   */
  public static final long MAX_LOG_PERMITS = 10_000;

  /** The shortest window; below it the clocks and the network decide, not the limit. */
  public static final Duration MIN_WINDOW = Duration.ofMillis(1);

  /** The longest window: a leap year and a month of grace. */
  public static final Duration MAX_WINDOW = Duration.ofDays(400);

  private static final BigInteger EXACT_IN_DOUBLES = BigInteger.ONE.shiftLeft(53);

  /** With today's date in microseconds, and twice for a debt, still below 2^53. */
  private static final BigInteger MAX_REFILL_MICROS =
      BigInteger.valueOf(Duration.ofDays(36_525).toMillis() * 1_000);

  /** Checks every range and what goes together; the message names the rule and the value. */
  public LimitSpec {
    Objects.requireNonNull(limitWindow, "limitWindow");
    Objects.requireNonNull(counting, "counting");
    Objects.requireNonNull(audience, "audience");
    requireRange("permits", permits);
    Algorithm algorithm = counting.algorithm();
    if (algorithm != Algorithm.TOKEN_BUCKET && counting.burst() != permits) {
      throw new IllegalArgumentException(
          "burst is for TOKEN_BUCKET only, was " + counting.burst() + " with " + algorithm);
    }
    if (algorithm != Algorithm.FIXED_WINDOW && limitWindow instanceof CalendarWindow) {
      throw new IllegalArgumentException(
          "a calendar window is counted by FIXED_WINDOW only, was "
              + algorithm
              + " with "
              + limitWindow.text());
    }
    if (algorithm == Algorithm.SLIDING_WINDOW_LOG && permits > MAX_LOG_PERMITS) {
      throw new IllegalArgumentException(
          "permits of a SLIDING_WINDOW_LOG must be 1 to "
              + MAX_LOG_PERMITS
              + ", since it keeps each of them, was "
              + permits
              + "; SLIDING_WINDOW_COUNTER has no such bound");
    }
    if (algorithm == Algorithm.TOKEN_BUCKET) {
      requireExactArithmetic(permits, limitWindow, counting.burst());
    }
  }

  /**
   * Reads a limit, as a token bucket per caller where it does not say otherwise.
   *
   * @throws IllegalArgumentException if it is not of the grammar or out of range; the message names
   *     the rule and the value
   */
  public static LimitSpec parse(String text) {
    return parse(text, Algorithm.TOKEN_BUCKET);
  }

  /**
   * Reads a limit, counted that way where it does not say otherwise. A calendar window that would
   * be a token bucket, the default everywhere, is a fixed window.
   *
   * @throws IllegalArgumentException if it is not of the grammar or out of range; the message names
   *     the rule and the value
   */
  public static LimitSpec parse(String text, Algorithm algorithm) {
    return new LimitGrammar(text).read(algorithm);
  }

  /** A limit by permits and span alone, counted that way, per caller. */
  public static LimitSpec of(long permits, Duration window, Algorithm algorithm) {
    return new LimitSpec(
        permits,
        new SpanWindow(window),
        Counting.plain(algorithm, permits),
        Audience.of(By.CALLER),
        false);
  }

  /**
   * This limit, counted that way. A burst is kept for a token bucket, estimate and segments for a
   * weighted window. A calendar window counts in one way only and stays as it is.
   *
   * @throws IllegalArgumentException if that algorithm cannot count it; the message names the limit
   */
  public LimitSpec countedBy(Algorithm other) {
    if (other == algorithm() || limitWindow instanceof CalendarWindow) {
      return this;
    }
    try {
      return with(Counting.plain(other, permits));
    } catch (IllegalArgumentException refused) {
      throw new IllegalArgumentException(
          permits + "/" + windowText() + " as " + other + ": " + refused.getMessage(), refused);
    }
  }

  /** This limit, for those. */
  public LimitSpec perEach(By other) {
    return new LimitSpec(permits, limitWindow, counting, Audience.of(other), isShadow);
  }

  /** This limit, for each caller that this class names. */
  public LimitSpec perEach(Class<? extends CallerIdentifier> identifier) {
    return new LimitSpec(permits, limitWindow, counting, Audience.keyedBy(identifier), isShadow);
  }

  /** This limit with that burst. */
  public LimitSpec withBurst(long other) {
    return with(new Counting(algorithm(), other, estimate(), segments()));
  }

  /** This limit with that estimate, in as many segments. */
  public LimitSpec estimatedBy(Estimate other, int segments) {
    return with(new Counting(algorithm(), burst(), other, segments));
  }

  /**
   * This limit by the calendar of that zone.
   *
   * @throws IllegalArgumentException if its window is not of the calendar
   */
  public LimitSpec in(ZoneId zone) {
    if (limitWindow instanceof CalendarWindow calendar) {
      CalendarWindow there = new CalendarWindow(calendar.unit(), zone);
      return new LimitSpec(permits, there, counting, audience, isShadow);
    }
    throw new IllegalArgumentException(
        "zone is for the windows day, week and month only, was "
            + zone.getId()
            + " with "
            + windowText());
  }

  /** This limit, which then only watches, or no longer does. */
  public LimitSpec shadowed(boolean shadow) {
    return new LimitSpec(permits, limitWindow, counting, audience, shadow);
  }

  private LimitSpec with(Counting other) {
    return new LimitSpec(permits, limitWindow, other, audience, isShadow);
  }

  /** How it counts. */
  public Algorithm algorithm() {
    return counting.algorithm();
  }

  /** The most that can be spent at once. */
  public long burst() {
    return counting.burst();
  }

  /** How a weighted window estimates. */
  public Estimate estimate() {
    return counting.estimate();
  }

  /** Into how many parts a weighted window is cut. */
  public int segments() {
    return counting.segments();
  }

  /** Which kind of caller it counts for. */
  public By by() {
    return audience.by();
  }

  /** The class that names the caller, if any. */
  public Optional<Class<? extends CallerIdentifier>> keyedBy() {
    return audience.keyedBy();
  }

  /** The most that one request can cost and still pass. */
  public long maxCost() {
    return burst();
  }

  /** The length of the window; see {@link LimitWindow#lengthMicros} for one of the calendar. */
  public Duration window() {
    return Duration.ofMillis(windowMicros() / 1_000);
  }

  /** The length of the window in microseconds. */
  public long windowMicros() {
    return limitWindow.lengthMicros();
  }

  /** The window as the grammar writes it, in the largest unit that divides it: {@code 1m}. */
  public String windowText() {
    return limitWindow.text();
  }

  /** As the grammar writes it: {@code 100/1m;burst=20}. A class that names callers has no text. */
  @Override
  public String toString() {
    return LimitGrammar.text(this);
  }

  static void requireRange(String name, long value) {
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
  private static void requireExactArithmetic(long permits, LimitWindow window, long burst) {
    BigInteger windowMicros = BigInteger.valueOf(window.lengthMicros());
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
}
