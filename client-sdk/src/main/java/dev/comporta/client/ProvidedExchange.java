package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.MediaType;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** An {@link Exchange} as a provider takes part in it: with filters alone. Thread-safe. */
final class ProvidedExchange {

  private static final Logger LOG = System.getLogger(RateLimitProvider.class.getName());

  private final Exchange exchange;
  private final UnaryOperator<Client> plainClients;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /** The operator makes of the client of a request the one that sends it again. */
  ProvidedExchange(Exchange exchange, UnaryOperator<Client> plainClients) {
    this.exchange = exchange;
    this.plainClients = plainClients;
  }

  /** Waits, in this thread, until a request may leave. */
  void beforeSending(ClientRequestContext request) {
    if (PlainSending.isOne(request)) {
      return;
    }
    if (isTakenByAnother(request)) {
      warnOnce();
      return;
    }
    if (request.getProperty(ProvidedCall.PROPERTY) instanceof ProvidedCall before) {
      before.givenUp();
    }
    request.setProperty(ProvidedCall.PROPERTY, leaving(request));
  }

  private ProvidedCall leaving(ClientRequestContext request) {
    Route route = PacingFilter.route(request);
    boolean isRepeatable = isRepeatable(request);
    PacedCall first = exchange.first(Outgoing.to(route, isRepeatable, hasKey(request)));
    first
        .idempotencyKey()
        .ifPresent(
            key ->
                request.getHeaders().put(exchange.idempotencyHeader().orElseThrow(), List.of(key)));
    if (exchange.isPacing()) {
      exchange.hold(first, route);
    }
    return new ProvidedCall(
        exchange,
        Outgoing.to(route, isRepeatable, hasKey(request)),
        first,
        request,
        () -> plainClients.apply(request.getClient()));
  }

  private boolean hasKey(ClientRequestContext request) {
    return exchange
        .idempotencyHeader()
        .filter(name -> request.getHeaderString(name) != null)
        .isPresent();
  }

  /** Two layers would each retry what the other has retried. */
  private static boolean isTakenByAnother(ClientRequestContext request) {
    return request.getProperty(PacingFilter.CALL) != null
        || MethodCall.current() != null
        || (request.getProperty(ProvidedCall.PROPERTY) instanceof ProvidedCall call
            && call.isOf(request));
  }

  private void warnOnce() {
    if (hasWarned.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "RateLimitProvider is registered on a client that is wrapped by RateLimitedClient or"
              + " RateLimitedRestClient, or more than once on one client. One of them acts;"
              + " do not register this one");
    }
  }

  private static boolean isRepeatable(ClientRequestContext request) {
    Optional<Entity<?>> entity =
        request.hasEntity()
            ? Optional.of(Entity.entity(request.getEntity(), mediaType(request)))
            : Optional.empty();
    return new Request(request.getMethod().toUpperCase(Locale.ROOT), "", entity).isRepeatable();
  }

  private static MediaType mediaType(ClientRequestContext request) {
    return Optional.ofNullable(request.getMediaType())
        .orElse(MediaType.APPLICATION_OCTET_STREAM_TYPE);
  }
}
