package dev.comporta.server.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One limit of a {@link RateLimited} annotation: permits per window, with the way of counting and
 * whose requests are counted together.
 *
 * <pre>{@code
 * @RateLimited(limits = {
 *   @Limit("10/1s"),
 *   @Limit(value = "50000/1h", by = By.EVERYONE)
 * })
 * }</pre>
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface Limit {

  /**
   * Permits per window, written {@code permits/window}: {@code 100/1m}, {@code 5/500ms}, {@code
   * 1000/day}. The units are {@code ms}, {@code s}, {@code m}, {@code h} and {@code d}, the window
   * is from 1 ms to 400 days; or {@code day}, {@code week} and {@code month} of the calendar, for a
   * {@linkplain Algorithm#FIXED_WINDOW fixed window}. Permits from 1 to 2 147 483 647. The
   * parameters of a limit that is written in configuration may follow here too, unless the member
   * of the same name is set: {@code "100/1m;burst=20"}.
   */
  String value();

  /** How it counts; a calendar window is always a {@linkplain Algorithm#FIXED_WINDOW fixed} one. */
  Algorithm algorithm() default Algorithm.TOKEN_BUCKET;

  /** Whose requests are counted together. Not together with {@link #keyedBy()}. */
  By by() default By.CALLER;

  /**
   * Counts together the requests for which this class names the same caller: a tenant, the user
   * name that someone tries. The class is a CDI bean, or has a constructor without parameters. A
   * request for which it names nobody counts for its address. {@code CallerIdentifier} itself, the
   * default, stands for none.
   */
  Class<? extends CallerIdentifier> keyedBy() default CallerIdentifier.class;

  /**
   * The most permits that an idle caller can spend at once; token bucket only. 0, the default,
   * stands for as many as the limit has permits.
   */
  long burst() default 0;

  /** How a weighted window estimates; {@link Algorithm#SLIDING_WINDOW_COUNTER} only. */
  Estimate estimate() default Estimate.EVEN;

  /**
   * Into how many segments a weighted window is cut, 1 to 60; {@link
   * Algorithm#SLIDING_WINDOW_COUNTER} only.
   */
  int segments() default 1;

  /**
   * The time zone of a calendar window, for example {@code Europe/Lisbon}. Empty, the default,
   * stands for {@code comporta.time-zone}, which is UTC by default.
   */
  String zone() default "";

  /**
   * Whether the limit only watches: it counts and reports what it would have refused, and refuses
   * nothing.
   */
  boolean shadow() default false;
}
