package dev.comporta.client.header;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A way in which a server tells its limits. Implement it for a dialect that is not among those of
 * the library. It is found through {@link ServiceLoader}, or given to the options of a client, and
 * asked before all dialects of the library. What it throws counts as not having read anything.
 *
 * <p>Implementations are called by several threads at the same time, for every response.
 *
 * <pre>{@code
 * RateLimitDialect dialect =
 *     RateLimitDialect.of(
 *         """
 *         [Our gateway]
 *         hosts   gateway.example
 *         window  limit=X-Quota remaining=X-Quota-Left reset=X-Quota-Ends
 *         """);
 * }</pre>
 */
@FunctionalInterface
public interface RateLimitDialect {

  /** What a response says in this dialect; empty when it is not of this dialect. */
  Optional<RateLimitSnapshot> read(ResponseHead response);

  /**
   * A dialect that is written down, as the library's own are (see the reference of dialects).
   *
   * @throws IllegalArgumentException if a line cannot be read; the message names it
   */
  static RateLimitDialect of(String profiles) {
    Profiles known = Profiles.parse(profiles);
    return response -> HeaderReader.read(response, known);
  }

  /** The dialects that {@link ServiceLoader} finds, with the class loader of the application. */
  static List<RateLimitDialect> installed() {
    return ServiceLoader.load(RateLimitDialect.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }
}
