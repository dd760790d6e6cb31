package dev.comporta.client.header;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads what a response says about rate limits. A vendor that is known, by its host or by a field
 * that no other sends, is read as its documents say. Else, or where that tells nothing, the first
 * dialect that tells a window counts, the most precise first: {@code RateLimit} with {@code
 * RateLimit-Policy} (IETF draft-ietf-httpapi-ratelimit-headers, the lists of version 11 and the
 * dictionary of version 7), then {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset},
 * then the same three under {@code X-RateLimit-} and {@code X-Rate-Limit-}.
 *
 * <p>It never throws: what is malformed counts as absent. Its work is bounded whatever is sent.
 * Pure and thread-safe.
 */
public final class HeaderReader {

  private static final FieldName AGE = FieldName.of("Age");

  /** The profile of servers that are not known. */
  private static final Profile ANY = Profiles.KNOWN.named("any server").orElseThrow();

  private HeaderReader() {}

  /**
   * Reads the header of a host that is not known.
   *
   * @param status the status of the response: a negative remainder means 0 on a refusal (400 and
   *     above) and nothing on a success
   * @param headers the lines of each field, by names in any case
   * @param receivedAt the time on this side's clock, used where the response has no {@code Date}
   */
  public static RateLimitSnapshot read(
      int status, Map<String, List<String>> headers, Instant receivedAt) {
    return read(new ResponseHead(status, headers, receivedAt), List.of());
  }

  /**
   * Reads a response.
   *
   * @param own dialects that are asked first, in their order
   */
  public static RateLimitSnapshot read(ResponseHead response, List<RateLimitDialect> own) {
    for (RateLimitDialect dialect : own) {
      Optional<RateLimitSnapshot> read = ask(dialect, response);
      if (read.isPresent()) {
        return read.get();
      }
    }
    HeaderLines header = new HeaderLines(response.headers(), response.receivedAt());
    return isFromCache(header)
        ? RateLimitSnapshot.NOTHING
        : new ResponseReader(response, header, ANY, Profiles.KNOWN.of(response.host(), header))
            .read();
  }

  /** Reads a response of one of these vendors; empty when it is of another. */
  static Optional<RateLimitSnapshot> read(ResponseHead response, Profiles vendors) {
    HeaderLines header = new HeaderLines(response.headers(), response.receivedAt());
    return isFromCache(header)
        ? Optional.empty()
        : vendors
            .of(response.host(), header)
            .map(vendor -> new ResponseReader(response, header, ANY, Optional.of(vendor)).read());
  }

  /** A dialect of the application may fail as it likes: its answer is then that of none. */
  @SuppressWarnings("CatchingUnchecked")
  private static Optional<RateLimitSnapshot> ask(RateLimitDialect dialect, ResponseHead response) {
    try {
      return Objects.requireNonNull(dialect.read(response));
    } catch (RuntimeException | StackOverflowError | LinkageError faulty) {
      return Optional.empty();
    }
  }

  /** A cached response tells the state of some time ago (IETF draft 11, section 7.3). */
  private static boolean isFromCache(HeaderLines header) {
    Optional<Decimal> age = header.first(AGE).flatMap(Decimal::parse);
    return age.isPresent() && (age.get().whole() > 0 || age.get().billionths() > 0);
  }
}
