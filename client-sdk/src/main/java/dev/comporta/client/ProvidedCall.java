package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import dev.comporta.client.pacing.Timeline.Timer;
import dev.comporta.client.retry.Reply;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientResponseContext;
import java.time.Duration;
import java.util.function.Supplier;

/** A call of a client on which a provider is registered, from its request filter on. */
final class ProvidedCall {

  /** Of a request: the call that it is the first sending of. */
  static final String PROPERTY = "dev.comporta.client.provided";

  /**
   * Filters are not told that a request failed. After that time it counts as under way no more; it
   * goes on to count as sent, so nothing is lost when its answer comes after all.
   */
  static final Duration UNDER_WAY = Duration.ofSeconds(10);

  private final Exchange exchange;
  private final Outgoing outgoing;
  private final PacedCall first;
  private final ClientRequestContext request;
  private final Supplier<Client> plain;
  private final WrittenEntity entity = new WrittenEntity();
  private final long sentMicros;
  private final Timer overdue;

  /** One whose first sending leaves now. */
  ProvidedCall(
      Exchange exchange,
      Outgoing outgoing,
      PacedCall first,
      ClientRequestContext request,
      Supplier<Client> plain) {
    this.exchange = exchange;
    this.outgoing = outgoing;
    this.first = first;
    this.request = request;
    this.plain = plain;
    if (outgoing.isRepeatable() && request.hasEntity()) {
      request.setEntityStream(entity.keeping(request.getEntityStream()));
    }
    this.sentMicros = exchange.nowMicros();
    this.overdue =
        exchange.isPacing()
            ? exchange
                .timeline()
                .after(
                    UNDER_WAY.toMillis() * 1000,
                    () -> exchange.lost(first),
                    rejected -> exchange.lost(first))
            : () -> {};
  }

  /** Whether it is on its way through the filters of that request. */
  boolean isOf(ClientRequestContext context) {
    return context == request;
  }

  /** No answer came, since what has sent it sends anew. */
  void givenUp() {
    overdue.cancel();
    exchange.lost(first);
  }

  /** Decides what follows the first answer, and puts the last one in its place. */
  void answered(ClientResponseContext response) {
    overdue.cancel();
    boolean isRepeatable =
        outgoing.isRepeatable() && (!request.hasEntity() || entity.bytes().isPresent());
    ContextReply given = new ContextReply(response);
    Outgoing answered = Outgoing.to(route(), isRepeatable, outgoing.hasIdempotencyKey());
    boolean isDone = false;
    try {
      Reply last =
          exchange.<Reply>send(
              answered, call -> call.number() == 1 ? first(call, given) : again(call));
      if (last instanceof RestReply other) {
        given.become(other.response());
      }
      isDone = true;
    } finally {
      if (!isDone) {
        given.close();
      }
    }
  }

  /** It has left already, and has been answered. */
  private Reply first(PacedCall call, ContextReply given) {
    first
        .takeLeft()
        .ifPresentOrElse(
            call::leave,
            () -> {
              if (exchange.isPacing()) {
                exchange.observe(route(), sentMicros, given.status(), given.headers());
              }
            });
    return given;
  }

  private Reply again(PacedCall call) {
    if (exchange.isPacing()) {
      exchange.hold(call, route());
    }
    return new RestReply(new PlainSending(plain.get(), request, entity.bytes()).send());
  }

  private Route route() {
    return outgoing.route().orElseThrow();
  }
}
