package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import dev.comporta.client.retry.Attempt;
import java.util.Optional;

/**
 * A request that is about to be sent, whichever HTTP client sends it.
 *
 * @param route where it goes and for whom, as far as it is known before filters have run
 * @param isRepeatable whether its entity can be sent again
 * @param hasIdempotencyKey whether it carries one of the application's
 */
record Outgoing(Route route, boolean isRepeatable, boolean hasIdempotencyKey) {

  String origin() {
    return route.origin();
  }

  Attempt.Call call(Optional<String> idempotencyKey) {
    return new Attempt.Call(
        route.method(), isRepeatable, hasIdempotencyKey || idempotencyKey.isPresent());
  }
}
