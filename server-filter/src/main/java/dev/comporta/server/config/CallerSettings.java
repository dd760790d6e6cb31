package dev.comporta.server.config;

import dev.comporta.server.caller.AddressRules;
import dev.comporta.server.caller.ApiKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who is limited.
 *
 * @param addresses how the address of a client is found and grouped
 * @param apiKeyHeader the header that carries an API key
 * @param apiKeys the keys that are recognised
 * @param tierRoles the roles that put an authenticated caller into each tier
 * @param identitySecret the key with which identities are hashed, if there is one
 */
public record CallerSettings(
    AddressRules addresses,
    String apiKeyHeader,
    List<ApiKey> apiKeys,
    Map<String, Set<String>> tierRoles,
    Optional<Secret> identitySecret) {

  /** Copies what it is given. */
  public CallerSettings {
    apiKeys = List.copyOf(apiKeys);
    tierRoles = Map.copyOf(tierRoles);
  }
}
