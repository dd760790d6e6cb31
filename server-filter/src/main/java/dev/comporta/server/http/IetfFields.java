package dev.comporta.server.http;

import dev.comporta.server.algorithm.Standing;
import org.greenbytes.http.sfv.StringItem;

/**
 * The syntax of {@code RateLimit-Policy} and {@code RateLimit}: structured-field Lists of Strings.
 * One of these writes both, limit by limit. The draft still moves; all that would have to follow it
 * is here.
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

  private final boolean tellsHints;
  private final StringBuilder policy = new StringBuilder(SIZE);
  private final StringBuilder state = new StringBuilder(SIZE);

  /**
   * Both fields without a limit yet.
   *
   * @param tellsHints whether with parameters of our own, as {@link #hint} writes them
   */
  IetfFields(boolean tellsHints) {
    this.tellsHints = tellsHints;
  }

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

  /**
   * One more limit: {@code q} permits per {@code w}, of which {@code r} remain.
   *
   * @param effectiveMicros within which no more than those may be used, {@code t}
   */
  void add(WireLimit limit, Standing standing, long effectiveMicros) {
    long windowSeconds = Math.max(1, WholeSeconds.ceil(limit.windowMicros()));
    add(policy, limit.item(), ";q=", standing.limit(), ";w=", windowSeconds);
    long effectiveSeconds = WholeSeconds.ceil(effectiveMicros);
    add(state, limit.item(), ";r=", standing.remaining(), ";t=", effectiveSeconds);
    if (tellsHints && limit.hint().isPresent()) {
      policy.append(limit.hint().get());
      state.append(MILLIS).append(ceilMillis(effectiveMicros));
    }
  }

  String policy() {
    return policy.toString();
  }

  String state() {
    return state.toString();
  }

  private static long ceilMillis(long micros) {
    return -Math.floorDiv(-micros, 1000L);
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
