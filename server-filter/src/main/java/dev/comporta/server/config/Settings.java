package dev.comporta.server.config;

import dev.comporta.server.http.Dialect;
import dev.comporta.server.policy.ConfiguredPolicies;
import java.util.Set;

/**
 * Everything that can be set under {@code comporta.}, read and checked. {@link SettingKey} tells
 * what each means. No secret is told by {@link #toString()}.
 *
 * @param namespace keeps the application apart from others on one Redis
 * @param store where usage is kept
 * @param headers the dialects in which quotas are told
 * @param callers who is limited
 * @param priorities when the filter runs
 * @param live what may change while the application runs
 */
public record Settings(
    String namespace,
    StoreSettings store,
    Set<Dialect> headers,
    CallerSettings callers,
    Priorities priorities,
    LiveSettings live) {

  /** Copies what it is given. */
  public Settings {
    headers = Set.copyOf(headers);
  }

  /** The policies of the configuration. */
  public ConfiguredPolicies policies() {
    return live.policies();
  }

  /**
   * When the request filter runs, in the terms of {@link jakarta.ws.rs.Priorities}.
   *
   * @param beforeAuthentication for policies that need no caller
   * @param afterAuthentication for all others
   */
  public record Priorities(int beforeAuthentication, int afterAuthentication) {}
}
