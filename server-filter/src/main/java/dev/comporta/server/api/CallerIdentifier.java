package dev.comporta.server.api;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/**
 * Tells who sent a request. Identifiers are asked in order; the first that recognises the request
 * names the caller.
 *
 * <p>An implementation must recognise only what it has verified: were an invented key a caller,
 * each invented key would have a quota of its own. It is called once per limited request, from many
 * threads at once, and must not block or read the entity. One that throws fails the request. It is
 * a CDI bean, or named in {@code META-INF/services/dev.comporta.server.api.CallerIdentifier}; one
 * that {@link Limit#keyedBy()} names serves such limits alone.
 */
@FunctionalInterface
public interface CallerIdentifier {

  /** The caller of this request, or nothing when this identifier does not recognise it. */
  Optional<Caller> identify(ContainerRequestContext request);
}
