package dev.comporta.server.api;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/**
 * Decides the tier of a caller, for example from what the application knows of its contract, where
 * neither a role nor an API key does.
 *
 * <pre>{@code
 * public class ContractTier implements TierResolver {
 *   public Optional<String> tier(Caller caller, ContainerRequestContext request) {
 *     return contracts.tierInMemory(caller.kind(), caller.identity());
 *   }
 * }
 * }</pre>
 *
 * <p>An implementation is a CDI bean, or is named in {@code
 * META-INF/services/dev.comporta.server.api.TierResolver}. Of several the first that names a tier
 * decides. It is asked only for callers that have no tier yet and only where a policy has tiers, at
 * most once per request, from many threads at once, and must not block or read the entity. A tier
 * that a policy does not have means the common limits of that policy. One that throws fails the
 * request, unless the policy is in shadow mode: then it passes, and its limits are not asked.
 */
@FunctionalInterface
public interface TierResolver {

  /** The name of the tier of that caller, or nothing for the common limits. */
  Optional<String> tier(Caller caller, ContainerRequestContext request);
}
