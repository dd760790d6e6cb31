package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import java.util.List;

/**
 * Holds calls back, gives them their idempotency key, and learns from the answers to those that are
 * not paced. It runs after all other request filters: only then is it known where the request goes
 * and whom it says it comes from.
 */
final class PacingFilter implements ClientRequestFilter, ClientResponseFilter {

  /** After every other request filter, and before every other response filter. */
  static final int PRIORITY = Integer.MAX_VALUE;

  /** The {@link PacedCall} of a request that {@link Exchange} sends, and learns from itself. */
  static final String CALL = "dev.comporta.client.call";

  /** The route that was guessed for a call that waits without a thread. */
  static final String GUESS = "dev.comporta.client.guess";

  private static final String SENT_MICROS = "dev.comporta.client.sent";

  private final Exchange exchange;

  PacingFilter(Exchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void filter(ClientRequestContext request) {
    if (!(request.getProperty(CALL) instanceof PacedCall call)) {
      request.setProperty(SENT_MICROS, exchange.nowMicros());
      return;
    }
    if (exchange.idempotencyHeader().isPresent() && call.idempotencyKey().isPresent()) {
      request
          .getHeaders()
          .putIfAbsent(exchange.idempotencyHeader().get(), List.of(call.idempotencyKey().get()));
    }
    if (exchange.isPacing()) {
      Route route = route(request);
      if (request.getProperty(GUESS) instanceof Route guess) {
        exchange.guesses().turnedOut(guess, route);
      }
      exchange.hold(call, route);
    }
  }

  @Override
  public void filter(ClientRequestContext request, ClientResponseContext response) {
    if (exchange.isPacing()
        && request.getProperty(SENT_MICROS) instanceof Long sentMicros
        && request.getProperty(CALL) == null) {
      exchange.observe(route(request), sentMicros, response.getStatus(), response.getHeaders());
    }
  }

  /** Where a request goes, and for whom, when its filters have run. */
  static Route route(ClientRequestContext request) {
    Credentials credentials = Credentials.NONE;
    for (var header : request.getStringHeaders().entrySet()) {
      for (String value : header.getValue()) {
        credentials = credentials.with(header.getKey(), value);
      }
    }
    return Routes.of(request.getMethod(), request.getUri(), credentials);
  }
}
