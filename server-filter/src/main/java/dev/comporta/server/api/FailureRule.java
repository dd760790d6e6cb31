package dev.comporta.server.api;

import jakarta.ws.rs.container.ContainerResponseContext;

/**
 * Tells a failed request from one that succeeded, for {@link Charge#FAILURES} and {@link
 * Charge#SUCCESSES}. Without one, a status of 400 or above is a failure.
 *
 * <p>An implementation is a CDI bean, or has a constructor without parameters. It is called once
 * per answered request, from many threads at once, and must not consume the entity. A request that
 * ends without an answer of the resource, through an exception that nothing maps, is a failure and
 * not asked about. One that throws is logged, and the status decides.
 */
@FunctionalInterface
public interface FailureRule {

  /** Whether the request that is answered so has failed. */
  boolean isFailure(ContainerResponseContext response);
}
