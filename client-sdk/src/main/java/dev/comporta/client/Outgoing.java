package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import dev.comporta.client.retry.Attempt;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request that is about to be sent, whichever HTTP client sends it.
 *
 * @param method the HTTP method, in capitals
 * @param known where it goes and for whom, as far as it is known: before filters have run, that may
 *     be nothing
 * @param isRepeatable whether its entity can be sent again
 * @param hasIdempotencyKey whether it carries one of the application's
 */
record Outgoing(
    String method,
    Supplier<Optional<Route>> known,
    boolean isRepeatable,
    boolean hasIdempotencyKey) {

  /** One whose address is known. */
  static Outgoing to(Route route, boolean isRepeatable, boolean hasIdempotencyKey) {
    Optional<Route> known = Optional.of(route);
    return new Outgoing(route.method(), () -> known, isRepeatable, hasIdempotencyKey);
  }

  Optional<Route> route() {
    return known.get();
  }

  /** Scheme, host and port; empty as long as nothing is known. */
  String origin() {
    return route().map(Route::origin).orElse("");
  }

  Attempt.Call call(Optional<String> idempotencyKey) {
    return new Attempt.Call(method, isRepeatable, hasIdempotencyKey || idempotencyKey.isPresent());
  }
}
