package dev.comporta.client;

import dev.comporta.client.header.RateLimitDialect;
import dev.comporta.client.pacing.Pacing;
import dev.comporta.client.pacing.Timeline;
import jakarta.ws.rs.client.Client;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes a Jakarta REST client keep itself inside the limits of the servers that it calls.
 *
 * <p>The wrapped client reads what each response tells about rate limits. It holds requests back so
 * that they are not refused, and when one is refused nevertheless (429, or 503 with {@code
 * Retry-After}), it waits as long as the server asks and sends it again, if that is safe:
 *
 * <pre>{@code
 * Client client = RateLimitedClient.wrap(ClientBuilder.newClient());
 * String orders = client.target("https://api.example/orders").request().get(String.class);
 * }</pre>
 *
 * <p>All threads of a wrapped client share what it knows, by server, credential and bucket of the
 * server. The wrapped client is as thread-safe as the one inside.
 *
 * <p><b>Synchronous calls only.</b> Calls through {@code async()} and {@code rx()}, and {@code
 * Invocation.submit}, are sent as they are: not held back and not retried. Their answers are learnt
 * from, so synchronous calls give way to them.
 *
 * <p>A call waits in its own thread. An interrupt ends the wait at once with a {@link
 * jakarta.ws.rs.ProcessingException} whose cause is an {@link InterruptedException}; the interrupt
 * flag stays set and nothing is sent.
 */
public final class RateLimitedClient {

  private RateLimitedClient() {}

  /** Wraps a client with the default options. */
  public static Client wrap(Client client) {
    return wrap(client, Options.defaults());
  }

  /**
   * Wraps a client. Unless pacing is off, a filter is registered on it that runs after all other
   * request filters: it holds calls back, by the credentials that those filters have set, and
   * learns from answers. It changes no request and no response.
   *
   * @throws IllegalArgumentException if the client is wrapped already: two layers would each retry
   *     what the other has retried
   */
  public static Client wrap(Client client, Options options) {
    return wrap(client, options, new SystemTimeline());
  }

  static Client wrap(Client client, Options options, Timeline timeline) {
    if (Decorator.isDecorated(client)) {
      throw new IllegalArgumentException(
          "client is wrapped already; wrap the one that ClientBuilder made");
    }
    Exchange exchange = new Exchange(options, timeline, new SplittableRandom());
    if (options.pacing() != Pacing.OFF) {
      client.register(new PacingFilter(exchange), PacingFilter.PRIORITY);
    }
    return Decorator.client(client, exchange);
  }

  /**
   * How a wrapped client behaves. Immutable; each {@code with} method returns a copy.
   *
   * @param maxWait the longest single wait, 0 or more, 30 seconds by default. A refusal that asks
   *     for more is returned at once; a request that would have to be held back for longer is not
   *     sent and ends with a {@link RateLimitWaitException}
   * @param maxAttempts how often a request is sent in all, 1 or more, 4 by default
   * @param pacing whether requests are held back, {@link Pacing#EAGER} by default
   * @param listener told before a long wait, nobody by default
   * @param dialects asked what a response says before the library's own, in their order; by default
   *     those that {@link java.util.ServiceLoader} finds
   */
  public record Options(
      Duration maxWait,
      int maxAttempts,
      Pacing pacing,
      WaitListener listener,
      List<RateLimitDialect> dialects) {

    /** A wait is counted in micros; nobody waits for longer than this. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(366);

    public Options {
      dialects = List.copyOf(dialects);
      if (maxWait.isNegative()) {
        throw new IllegalArgumentException("maxWait must be >= 0, was " + maxWait);
      }
      if (maxWait.compareTo(LONGEST_WAIT) > 0) {
        throw new IllegalArgumentException(
            "maxWait must be <= %s, was %s".formatted(LONGEST_WAIT, maxWait));
      }
      if (maxAttempts < 1) {
        throw new IllegalArgumentException("maxAttempts must be >= 1, was " + maxAttempts);
      }
    }

    /** The options of {@link RateLimitedClient#wrap(Client)}. */
    public static Options defaults() {
      return new Options(
          Duration.ofSeconds(30),
          4,
          Pacing.EAGER,
          (origin, delay) -> {},
          RateLimitDialect.installed());
    }

    /** A copy with another longest wait. */
    public Options withMaxWait(Duration newMaxWait) {
      return new Options(newMaxWait, maxAttempts, pacing, listener, dialects);
    }

    /** A copy with another number of sendings. */
    public Options withMaxAttempts(int newMaxAttempts) {
      return new Options(maxWait, newMaxAttempts, pacing, listener, dialects);
    }

    /** A copy with another pacing. */
    public Options withPacing(Pacing newPacing) {
      return new Options(maxWait, maxAttempts, newPacing, listener, dialects);
    }

    /** A copy with another listener. */
    public Options withListener(WaitListener newListener) {
      return new Options(maxWait, maxAttempts, pacing, newListener, dialects);
    }

    /** A copy with other dialects, which replace those that were found. */
    public Options withDialects(List<RateLimitDialect> newDialects) {
      return new Options(maxWait, maxAttempts, pacing, listener, newDialects);
    }
  }
}
