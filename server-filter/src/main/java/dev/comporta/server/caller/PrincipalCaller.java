package dev.comporta.server.caller;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Recognises an authenticated request by its principal. The roles of the principal decide its tier;
 * one that has the roles of several tiers is in the first of them by name.
 */
public final class PrincipalCaller implements CallerIdentifier {

  /** The kind of its callers. */
  public static final String KIND = "principal";

  private final SortedMap<String, Set<String>> tierRoles;

  /**
   * An identifier with those tiers.
   *
   * @param tierRoles the roles, any of which puts a caller into the tier
   */
  public PrincipalCaller(Map<String, Set<String>> tierRoles) {
    this.tierRoles = new TreeMap<>(tierRoles);
  }

  @Override
  public Optional<Caller> identify(ContainerRequestContext request) {
    SecurityContext security = request.getSecurityContext();
    Principal principal = security == null ? null : security.getUserPrincipal();
    String name = principal == null ? null : principal.getName();
    if (security == null || name == null || name.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Caller(KIND, name, tier(security)));
  }

  private Optional<String> tier(SecurityContext security) {
    return tierRoles.entrySet().stream()
        .filter(entry -> entry.getValue().stream().anyMatch(security::isUserInRole))
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
