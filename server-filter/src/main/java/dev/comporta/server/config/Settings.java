package dev.comporta.server.config;

import dev.comporta.server.policy.ConfiguredPolicies;
import java.util.Set;

/**
 * Everything that can be set under {@code comporta.}, read and checked. {@link SettingKey} tells
 * what each means. No secret is told by {@link #toString()}.
 *
 * @param namespace keeps the application apart from others on one Redis
 * @param store where usage is kept
 * @param headers the families of rate limit headers to send
 * @param callers who is limited
 * @param priorities when the filter runs
 * @param policies the policies of the configuration
 */
public record Settings(
    String namespace,
    StoreSettings store,
    Set<HeaderFamily> headers,
    CallerSettings callers,
    Priorities priorities,
    ConfiguredPolicies policies) {

  /** Copies what it is given. */
  public Settings {
    headers = Set.copyOf(headers);
  }

  /** A family of rate limit headers. */
  public enum HeaderFamily {
    /** {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining}, {@code X-RateLimit-Reset}. */
    LEGACY,
    /** {@code RateLimit} and {@code RateLimit-Policy} of the IETF draft. */
    IETF
  }

  /**
   * When the request filter runs, in the terms of {@link jakarta.ws.rs.Priorities}.
   *
   * @param beforeAuthentication for policies that need no caller
   * @param afterAuthentication for all others
   */
  public record Priorities(int beforeAuthentication, int afterAuthentication) {}
}
