package dev.comporta.client;

import dev.comporta.client.RateLimitedClient.Options;
import jakarta.annotation.Priority;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import java.util.SplittableRandom;

/**
 * A provider that keeps the client on which it is registered inside the limits of the servers that
 * it calls. It is for clients that cannot be wrapped, such as those that a container builds:
 *
 * <pre>{@code
 * @RegisterRestClient(baseUri = "https://api.example")
 * @RegisterProvider(RateLimitProvider.class)
 * public interface OrdersApi {
 *   @GET
 *   String all();
 * }
 * }</pre>
 *
 * <p>It holds requests back and sends refused ones again as {@link RateLimitedClient} does, by the
 * same rules and with the same options. It runs after all other request filters, and before all
 * other response filters. What it sends again, it sends through a plain client of its own: the same
 * method, address and header, and the bytes of the entity as they were written. So the filters,
 * interceptors and exception mappers of the application run once for each call, on the last answer.
 *
 * <p>What differs from a wrapped client, which is the first choice where there is one:
 *
 * <ul>
 *   <li>Every call waits in the thread in which its filters run. That of an asynchronous call is
 *       one of the executor, or of the connector.
 *   <li>The plain client has the {@code SSLContext} and the {@code HostnameVerifier} of the outer
 *       one and, of Jersey's, its properties {@code jersey.config.client.*}. It has no other
 *       connector, proxy, connection pool or time-out of the outer one, and its time-outs are 10
 *       seconds to connect and 60 seconds to read. Give a client where that is not enough.
 *   <li>An entity of more than 1 MiB as it is written is not kept, so a request with one is sent
 *       once, like one that is read from a stream or has several parts.
 *   <li>That a request failed without an answer, it is not told. It takes this for granted 10
 *       seconds after the request has left.
 * </ul>
 *
 * <p>On a client that is wrapped as well, the wrapped one acts and this does nothing, but warns
 * once. Thread-safe: an instance may be registered on several clients, which then share what it
 * knows and its budget of retries. Those that are made without options all share.
 */
@Priority(PacingFilter.PRIORITY)
public final class RateLimitProvider implements ClientRequestFilter, ClientResponseFilter {

  private final ProvidedExchange exchange;

  /** Has the options that a wrapped client has by default. This is the one to register by class. */
  public RateLimitProvider() {
    this(Default.EXCHANGE);
  }

  /** Has an account of its own of what servers tell. */
  public RateLimitProvider(Options options) {
    this(new ProvidedExchange(exchange(options), new PlainClients(ClientBuilder::newBuilder)));
  }

  /**
   * Sends through that client what it sends again.
   *
   * @param plain one on which no filter or interceptor is registered; whoever gives it closes it
   */
  public RateLimitProvider(Options options, Client plain) {
    this(new ProvidedExchange(exchange(options), outer -> plain));
  }

  RateLimitProvider(ProvidedExchange exchange) {
    this.exchange = exchange;
  }

  private static Exchange exchange(Options options) {
    return new Exchange(
        options, new SystemTimeline(options.waits().executor()), new SplittableRandom());
  }

  /** Of all that are made without options: an implementation may make several for one client. */
  private static final class Default {
    static final ProvidedExchange EXCHANGE =
        new ProvidedExchange(
            exchange(Options.defaults()), new PlainClients(ClientBuilder::newBuilder));
  }

  /**
   * Waits until the request may leave.
   *
   * @throws RateLimitWaitException when that would take too long
   * @throws jakarta.ws.rs.ProcessingException when the thread is interrupted
   */
  @Override
  public void filter(ClientRequestContext request) {
    exchange.beforeSending(request);
  }

  /** Learns from the answer, and sends a refused request again, if that is safe. */
  @Override
  public void filter(ClientRequestContext request, ClientResponseContext response) {
    if (request.getProperty(ProvidedCall.PROPERTY) instanceof ProvidedCall call) {
      request.removeProperty(ProvidedCall.PROPERTY);
      call.answered(response);
    }
  }
}
