package dev.comporta.client.header;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads what the header of a response says about rate limits. The first dialect that tells a window
 * counts, the most precise first: {@code RateLimit} with {@code RateLimit-Policy} (IETF
 * draft-ietf-httpapi-ratelimit-headers, the lists of version 11 and the dictionary of version 7),
 * then {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, then the same three under
 * {@code X-RateLimit-} and {@code X-Rate-Limit-}.
 *
 * <p>It never throws: what is malformed counts as absent. Pure and thread-safe.
 */
public final class HeaderReader {

  private static final List<String> TRIO_PREFIXES =
      List.of("RateLimit-", "X-RateLimit-", "X-Rate-Limit-");
  private static final List<String> BUCKET_NAMES =
      List.of("X-RateLimit-Bucket", "X-RateLimit-Resource", "X-RateLimit-Name");

  /** Names the bucket of a server that gives its limit no name. */
  private static final String ONLY_BUCKET = "*";

  private HeaderReader() {}

  /**
   * Reads a header.
   *
   * @param status the status of the response: a negative remainder means 0 on a refusal (400 and
   *     above) and nothing on a success
   * @param headers the lines of each field, by names in any case
   * @param receivedAt the time on this side's clock, used where the response has no {@code Date}
   */
  public static RateLimitSnapshot read(
      int status, Map<String, List<String>> headers, Instant receivedAt) {
    HeaderLines header = new HeaderLines(headers, receivedAt);
    if (isFromCache(header)) {
      return RateLimitSnapshot.NOTHING;
    }
    List<Window> windows = windows(header, status >= 400);
    return new RateLimitSnapshot(windows, RetryAfterHeader.read(header), bucket(header, windows));
  }

  private static List<Window> windows(HeaderLines header, boolean isRefusal) {
    List<Window> structured = StructuredLimits.read(header);
    if (!structured.isEmpty()) {
      return structured;
    }
    for (String prefix : TRIO_PREFIXES) {
      List<Window> trio = new PlainLimits(header, prefix, isRefusal).read();
      if (!trio.isEmpty()) {
        return trio;
      }
    }
    return StructuredLimits.policiesAlone(header);
  }

  private static Optional<String> bucket(HeaderLines header, List<Window> windows) {
    if (windows.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> given =
        BUCKET_NAMES.stream().flatMap(name -> header.first(name).stream()).findFirst();
    return given.or(
        () ->
            Optional.of(
                windows.stream()
                    .map(window -> window.name().orElse(ONLY_BUCKET))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(","))));
  }

  /** A cached response tells the state of some time ago (IETF draft 11, section 7.3). */
  private static boolean isFromCache(HeaderLines header) {
    return header
        .first("Age")
        .flatMap(Numerals::decimal)
        .filter(age -> age.compareTo(BigDecimal.ZERO) > 0)
        .isPresent();
  }
}
