package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;

/** Learns from the answers to calls that are not held back, which are the asynchronous ones. */
final class ObservingFilter implements ClientRequestFilter, ClientResponseFilter {

  /** Set on a request that {@link Exchange} sends, and learns from itself. */
  static final String PACED = "dev.comporta.client.paced";

  private static final String SENT_MICROS = "dev.comporta.client.sent";

  private final Exchange exchange;

  ObservingFilter(Exchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void filter(ClientRequestContext request) {
    if (request.getProperty(PACED) == null) {
      request.setProperty(SENT_MICROS, exchange.nowMicros());
    }
  }

  @Override
  public void filter(ClientRequestContext request, ClientResponseContext response) {
    if (request.getProperty(SENT_MICROS) instanceof Long sentMicros
        && request.getProperty(PACED) == null) {
      exchange.observe(route(request), sentMicros, response.getStatus(), response.getHeaders());
    }
  }

  private static Route route(ClientRequestContext request) {
    Credentials credentials = Credentials.NONE;
    for (var header : request.getStringHeaders().entrySet()) {
      for (String value : header.getValue()) {
        credentials = credentials.with(header.getKey(), value);
      }
    }
    return Routes.of(request.getMethod(), request.getUri(), credentials);
  }
}
