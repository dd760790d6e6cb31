package dev.comporta.server.http;

/**
 * {@code Retry-After} in whole seconds. Rounded up, so that who waits exactly that long is
 * admitted; at least 1, so that nobody asks again at once.
 */
public final class RetryAfter {

  /** The name of the header. */
  public static final String HEADER = "Retry-After";

  private RetryAfter() {}

  /** The seconds to tell for a wait of that many microseconds. */
  public static long seconds(long micros) {
    return Math.max(1, WholeSeconds.ceil(micros));
  }
}
