package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;

/**
 * Holds synchronous calls back, and learns from the answers to the others. It runs after all other
 * request filters: only then is it known where the request goes and whom it says it comes from.
 */
final class PacingFilter implements ClientRequestFilter, ClientResponseFilter {

  /** After every other request filter, and before every other response filter. */
  static final int PRIORITY = Integer.MAX_VALUE;

  /** The {@link PacedCall} of a request that {@link Exchange} sends, and learns from itself. */
  static final String CALL = "dev.comporta.client.call";

  private static final String SENT_MICROS = "dev.comporta.client.sent";

  private final Exchange exchange;

  PacingFilter(Exchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void filter(ClientRequestContext request) {
    if (request.getProperty(CALL) instanceof PacedCall call) {
      exchange.hold(call, route(request));
    } else {
      request.setProperty(SENT_MICROS, exchange.nowMicros());
    }
  }

  @Override
  public void filter(ClientRequestContext request, ClientResponseContext response) {
    if (request.getProperty(SENT_MICROS) instanceof Long sentMicros
        && request.getProperty(CALL) == null) {
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
