package dev.comporta.client;

import dev.comporta.client.header.RateLimitDialect;
import dev.comporta.client.pacing.Buckets;
import dev.comporta.client.pacing.Pacing;
import dev.comporta.client.pacing.Timeline;
import dev.comporta.client.retry.RetryBudget;
import jakarta.ws.rs.client.Client;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

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
 * <p><b>Synchronous calls</b> wait in their own thread. An interrupt ends the wait at once with a
 * {@link jakarta.ws.rs.ProcessingException} whose cause is an {@link InterruptedException}; the
 * interrupt flag stays set and nothing is sent.
 *
 * <p><b>Asynchronous calls</b>, which are those through {@code async()}, {@code rx()} and {@code
 * Invocation.submit}, wait without a thread. Cancelling the future ends the wait at once and
 * nothing is sent. A call that has to wait after the filters of the application have run, since
 * these set its credentials, is sent when the wait is over by letting them run once more.
 *
 * <p>What {@code rx(Class)} makes for a provider of the application is sent as it is: not held back
 * and not retried. Its answers are learnt from, so the other calls give way to it.
 */
public final class RateLimitedClient {

  private RateLimitedClient() {}

  /** Wraps a client with the default options. */
  public static Client wrap(Client client) {
    return wrap(client, Options.defaults());
  }

  /**
   * Wraps a client. A filter is registered on it, unless pacing is off and no key is given, that
   * runs after all other request filters: it holds calls back, by the credentials that those
   * filters have set, and learns from answers. It changes no response, and no request, unless it
   * adds an idempotency key.
   *
   * <p>Retries of refused requests by Jersey's connector for Apache HttpClient 5, which are on by
   * default, are switched off, unless the application has set a retry strategy; if that would send
   * a refused request again, a warning is logged.
   *
   * @throws IllegalArgumentException if the client is wrapped already: two layers would each retry
   *     what the other has retried
   */
  public static Client wrap(Client client, Options options) {
    return wrap(client, options, new SystemTimeline(options.waits().executor()));
  }

  static Client wrap(Client client, Options options, Timeline timeline) {
    if (Decorator.isDecorated(client)) {
      throw new IllegalArgumentException(
          "client is wrapped already; wrap the one that ClientBuilder made");
    }
    ConnectorRetries.settle(client);
    Exchange exchange = new Exchange(options, timeline, new SplittableRandom());
    if (options.pacing() != Pacing.OFF || options.idempotencyHeader().isPresent()) {
      client.register(new PacingFilter(exchange), PacingFilter.PRIORITY);
    }
    return Decorator.client(client, exchange);
  }

  /**
   * How a wrapped client behaves. Immutable; each {@code with} method returns a copy.
   *
   * @param waits how calls wait
   * @param retries what is sent again
   * @param pacing whether requests are held back, {@link Pacing#EAGER} by default
   * @param listeners who is told, nobody by default
   * @param dialects asked what a response says before the library's own, in their order; by default
   *     those that {@link java.util.ServiceLoader} finds
   */
  public record Options(
      Waits waits,
      Retries retries,
      Pacing pacing,
      Listeners listeners,
      List<RateLimitDialect> dialects) {

    /** A wait is counted in micros; nobody waits for longer than this. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(366);

    public Options {
      dialects = List.copyOf(dialects);
    }

    /**
     * How calls wait.
     *
     * @param maxWait see {@link Options#withMaxWait}
     * @param maxWaiting see {@link Options#withMaxWaiting}
     * @param executor see {@link Options#withExecutor}
     */
    public record Waits(Duration maxWait, int maxWaiting, Executor executor) {

      public Waits {
        if (maxWait.isNegative()) {
          throw new IllegalArgumentException("maxWait must be >= 0, was " + maxWait);
        }
        if (maxWait.compareTo(LONGEST_WAIT) > 0) {
          throw new IllegalArgumentException(
              "maxWait must be <= %s, was %s".formatted(LONGEST_WAIT, maxWait));
        }
        if (maxWaiting < 1) {
          throw new IllegalArgumentException("maxWaiting must be >= 1, was " + maxWaiting);
        }
      }
    }

    /**
     * What is sent again.
     *
     * @param maxAttempts see {@link Options#withMaxAttempts}
     * @param budget see {@link Options#withRetryBudget}
     * @param idempotencyHeader see {@link Options#withIdempotencyHeader}
     */
    public record Retries(int maxAttempts, RetryBudget budget, Optional<String> idempotencyHeader) {

      public Retries {
        if (maxAttempts < 1) {
          throw new IllegalArgumentException("maxAttempts must be >= 1, was " + maxAttempts);
        }
        if (idempotencyHeader.filter(name -> !isFieldName(name)).isPresent()) {
          throw new IllegalArgumentException(
              "idempotencyHeader must be the name of a header field, was \"%s\""
                  .formatted(idempotencyHeader.get()));
        }
      }

      private static boolean isFieldName(String name) {
        return name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
      }
    }

    /**
     * Who is told.
     *
     * @param waits see {@link Options#withListener}
     * @param calls see {@link Options#withCallListener}
     */
    public record Listeners(WaitListener waits, CallListener calls) {}

    /** The options of {@link RateLimitedClient#wrap(Client)}. */
    public static Options defaults() {
      return new Options(
          new Waits(Duration.ofSeconds(30), Buckets.MOST_WAITING, ForkJoinPool.commonPool()),
          new Retries(4, RetryBudget.defaults(), Optional.empty()),
          Pacing.EAGER,
          new Listeners((origin, delay) -> {}, event -> {}),
          RateLimitDialect.installed());
    }

    /** The longest single wait. */
    public Duration maxWait() {
      return waits.maxWait();
    }

    /** How many requests wait for one bucket. */
    public int maxWaiting() {
      return waits.maxWaiting();
    }

    /** How often a request is sent in all. */
    public int maxAttempts() {
      return retries.maxAttempts();
    }

    /** How many of all requests may be repetitions. */
    public RetryBudget retryBudget() {
      return retries.budget();
    }

    /** The header in which requests are given an idempotency key, if they are. */
    public Optional<String> idempotencyHeader() {
      return retries.idempotencyHeader();
    }

    /** Told before a long wait. */
    public WaitListener listener() {
      return listeners.waits();
    }

    /** Told what limits do to calls. */
    public CallListener calls() {
      return listeners.calls();
    }

    /**
     * A copy with another longest single wait, 0 or more, 30 seconds by default. A refusal that
     * asks for more is returned at once; a request that would have to be held back for longer is
     * not sent and ends with a {@link RateLimitWaitException}.
     */
    public Options withMaxWait(Duration newMaxWait) {
      return with(new Waits(newMaxWait, waits.maxWaiting(), waits.executor()));
    }

    /**
     * A copy with another number of requests that wait for one bucket at the same time, 1 or more,
     * 10 000 by default. One more is not sent and ends with a {@link RateLimitWaitException}; a
     * request that was refused always has a place.
     */
    public Options withMaxWaiting(int newMaxWaiting) {
      return with(new Waits(waits.maxWait(), newMaxWaiting, waits.executor()));
    }

    /**
     * A copy with another executor, which runs what follows the wait of an asynchronous call: the
     * sending, as far as it needs a thread. It must not run tasks in the thread that gives them. By
     * default the common pool; in an application server, take a managed executor.
     */
    public Options withExecutor(Executor newExecutor) {
      return with(new Waits(waits.maxWait(), waits.maxWaiting(), newExecutor));
    }

    /** A copy with another number of sendings in all, 1 or more, 4 by default. */
    public Options withMaxAttempts(int newMaxAttempts) {
      return with(new Retries(newMaxAttempts, retries.budget(), retries.idempotencyHeader()));
    }

    /** A copy with another share of requests that may be repetitions. */
    public Options withRetryBudget(RetryBudget newBudget) {
      return with(new Retries(retries.maxAttempts(), newBudget, retries.idempotencyHeader()));
    }

    /**
     * A copy in which each POST and PATCH is given a random key in that header, the same for all
     * its sendings, unless it has one. A server that knows such keys lets it be sent again without
     * a second effect, so it is retried like an idempotent method. None is given by default.
     */
    public Options withIdempotencyHeader(String name) {
      return with(new Retries(retries.maxAttempts(), retries.budget(), Optional.of(name)));
    }

    /** A copy with another pacing. */
    public Options withPacing(Pacing newPacing) {
      return new Options(waits, retries, newPacing, listeners, dialects);
    }

    /** A copy with another listener of long waits. */
    public Options withListener(WaitListener newListener) {
      return with(new Listeners(newListener, listeners.calls()));
    }

    /** A copy with another listener of what limits do to calls. */
    public Options withCallListener(CallListener newListener) {
      return with(new Listeners(listeners.waits(), newListener));
    }

    /** A copy with other dialects, which replace those that were found. */
    public Options withDialects(List<RateLimitDialect> newDialects) {
      return new Options(waits, retries, pacing, listeners, newDialects);
    }

    private Options with(Waits newWaits) {
      return new Options(newWaits, retries, pacing, listeners, dialects);
    }

    private Options with(Retries newRetries) {
      return new Options(waits, newRetries, pacing, listeners, dialects);
    }

    private Options with(Listeners newListeners) {
      return new Options(waits, retries, pacing, newListeners, dialects);
    }
  }
}
