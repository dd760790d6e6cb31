package dev.comporta.server.http;

import java.util.List;
import java.util.Optional;
import org.greenbytes.http.sfv.StringItem;

/**
 * The syntax of {@code RateLimit-Policy} and {@code RateLimit}: structured-field Lists of Strings.
 * The draft still moves; all that would have to follow it is here.
 *
 * <p>Source: draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4; RFC 9651.
 */
final class IetfFields {

  static final String POLICY = "RateLimit-Policy";
  static final String STATE = "RateLimit";

  private static final String COUNTING = ";comporta-by=";
  private static final String WINDOW_MILLIS = ";comporta-w=";
  private static final String MILLIS = ";comporta-t=";
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int SIZE = 64;

  private IetfFields() {}

  /**
   * One limit, in the units of the fields.
   *
   * @param item a policy and its window, as {@link #item} writes it
   * @param limit permits, {@code q}
   * @param windowSeconds at least 1, {@code w}
   * @param remaining permits, {@code r}
   * @param effectiveMicros within which no more than {@code remaining} may be used, {@code t}
   * @param hint parameters of our own, as {@link #hint} writes them
   */
  record Quota(
      String item,
      long limit,
      long windowSeconds,
      long remaining,
      long effectiveMicros,
      Optional<String> hint) {}

  /** The name of a limit, as both fields have it. */
  static String item(String name) {
    return StringItem.valueOf(name).serialize();
  }

  /** How a limit counts, and its window in milliseconds where seconds do not tell it. */
  static String hint(String counting, long windowMicros) {
    return windowMicros % MICROS_PER_SECOND == 0
        ? COUNTING + counting
        : COUNTING + counting + WINDOW_MILLIS + ceilMillis(windowMicros);
  }

  private static long ceilMillis(long micros) {
    return -Math.floorDiv(-micros, 1000L);
  }

  static String policy(List<Quota> quotas) {
    StringBuilder field = new StringBuilder(SIZE);
    for (Quota quota : quotas) {
      add(field, quota.item(), ";q=", quota.limit(), ";w=", quota.windowSeconds());
      quota.hint().ifPresent(field::append);
    }
    return field.toString();
  }

  static String state(List<Quota> quotas) {
    StringBuilder field = new StringBuilder(SIZE);
    for (Quota quota : quotas) {
      long seconds = WholeSeconds.ceil(quota.effectiveMicros());
      add(field, quota.item(), ";r=", quota.remaining(), ";t=", seconds);
      if (quota.hint().isPresent()) {
        field.append(MILLIS).append(ceilMillis(quota.effectiveMicros()));
      }
    }
    return field.toString();
  }

  /* An Integer of RFC 9651 is its digits: only the name needs the library, once for each limit. */
  private static void add(
      StringBuilder field, String item, String key, long value, String otherKey, long otherValue) {
    if (!field.isEmpty()) {
      field.append(", ");
    }
    field.append(item).append(key).append(value).append(otherKey).append(otherValue);
  }
}
