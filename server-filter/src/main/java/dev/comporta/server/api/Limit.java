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
   * 1000/1d}. The units are {@code ms}, {@code s}, {@code m}, {@code h} and {@code d}; the window
   * is from 1 ms to 400 days, permits from 1 to 2 147 483 647.
   */
  String value();

  /** How it counts. */
  Algorithm algorithm() default Algorithm.TOKEN_BUCKET;

  /** Whose requests are counted together. */
  By by() default By.CALLER;

  /**
   * The most permits that an idle caller can spend at once; token bucket only. 0, the default,
   * stands for as many as the limit has permits.
   */
  long burst() default 0;
}
