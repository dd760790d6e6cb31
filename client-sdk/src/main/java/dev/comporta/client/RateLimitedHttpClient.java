package dev.comporta.client;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.pacing.Route;
import dev.comporta.client.pacing.Timeline;
import jakarta.ws.rs.ProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps calls of the platform's {@link HttpClient} inside the limits of the servers that it calls,
 * as {@link RateLimitedClient} does for a Jakarta REST client. Thread-safe.
 *
 * <pre>{@code
 * RateLimitedHttpClient client = RateLimitedHttpClient.wrap(HttpClient.newHttpClient());
 * HttpResponse<String> orders = client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>A body publisher makes the body anew for each sending, so every request can be sent again; one
 * of {@code BodyPublishers.ofInputStream} asks its supplier for another stream each time. Where the
 * body handler makes a text, the wait that some vendors write there is read.
 */
public final class RateLimitedHttpClient {

  private final HttpClient client;
  private final Exchange exchange;

  private RateLimitedHttpClient(HttpClient client, Exchange exchange) {
    this.client = client;
    this.exchange = exchange;
  }

  /** Wraps a client with the default options. */
  public static RateLimitedHttpClient wrap(HttpClient client) {
    return wrap(client, Options.defaults());
  }

  /** Wraps a client. */
  public static RateLimitedHttpClient wrap(HttpClient client, Options options) {
    return wrap(client, options, new SystemTimeline(options.waits().executor()));
  }

  static RateLimitedHttpClient wrap(HttpClient client, Options options, Timeline timeline) {
    return new RateLimitedHttpClient(
        client, new Exchange(options, timeline, new SplittableRandom()));
  }

  /**
   * Sends a request, and returns the last response.
   *
   * @throws RateLimitWaitException when it would have to wait for too long; it was not sent
   * @throws IOException as {@link HttpClient#send} does
   * @throws InterruptedException when the thread is interrupted, also in a wait
   */
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    Outgoing outgoing = outgoing(request);
    try {
      HttpReply<T> reply =
          exchange.send(
              outgoing,
              call -> {
                if (exchange.isPacing()) {
                  exchange.hold(call, outgoing.route().orElseThrow());
                }
                return sent(keyed(request, call), handler);
              });
      return reply.response();
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    } catch (ProcessingException interrupted) {
      if (interrupted.getCause() instanceof InterruptedException cause) {
        // Whoever throws this exception clears the flag.
        boolean unused = Thread.interrupted();
        throw cause;
      }
      throw interrupted;
    }
  }

  /**
   * Sends a request without waiting: no thread waits for a limit. Cancelling the future ends a wait
   * at once, and then nothing is sent.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // The result tells all.
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    CompletableFuture<HttpReply<T>> sent =
        exchange.sendLater(
            outgoing(request),
            call -> client.sendAsync(keyed(request, call), handler).thenApply(HttpReply::new));
    CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
    sent.whenComplete(
        (reply, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else if (!result.complete(reply.response())) {
            reply.discard();
          }
        });
    result.whenComplete(
        (response, failure) -> {
          if (result.isCancelled()) {
            sent.cancel(false);
          }
        });
    return result;
  }

  private <T> HttpReply<T> sent(HttpRequest request, BodyHandler<T> handler) {
    try {
      return new HttpReply<>(client.send(request, handler));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ProcessingException(interrupted);
    }
  }

  private Outgoing outgoing(HttpRequest request) {
    Credentials credentials = Credentials.NONE;
    for (var header : request.headers().map().entrySet()) {
      for (String value : header.getValue()) {
        credentials = credentials.with(header.getKey(), value);
      }
    }
    Route route = Routes.of(request.method(), request.uri(), credentials);
    boolean hasKey =
        exchange
            .idempotencyHeader()
            .flatMap(name -> request.headers().firstValue(name))
            .isPresent();
    return Outgoing.to(route, true, hasKey);
  }

  private HttpRequest keyed(HttpRequest request, PacedCall call) {
    Optional<String> header = exchange.idempotencyHeader();
    if (header.isEmpty() || call.idempotencyKey().isEmpty()) {
      return request;
    }
    return HttpRequest.newBuilder(request, (name, value) -> true)
        .setHeader(header.get(), call.idempotencyKey().get())
        .build();
  }
}
