package dev.comporta.server.filter;

import dev.comporta.server.http.Refusal;
import dev.comporta.server.http.WireLimit;
import dev.comporta.server.store.Verdict;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Optional;

/**
 * What was decided of a request. It is left on the request, so that there is one decision however
 * often a filter runs: bound twice, or again after a forward.
 *
 * @param limits those of the request
 * @param verdict with standings in the order of the limits
 */
record Admission(List<WireLimit> limits, Verdict verdict) {

  private static final String PROPERTY = "dev.comporta.server.admission";

  static Optional<Admission> of(ContainerRequestContext request) {
    return Optional.ofNullable((Admission) request.getProperty(PROPERTY));
  }

  void leaveOn(ContainerRequestContext request) {
    request.setProperty(PROPERTY, this);
  }

  /** The answer in place of the resource's, unless the request passes. */
  Optional<Refusal> refusal() {
    return Refusal.of(limits, verdict);
  }
}
