package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What configuration says of limits, before it meets the annotations.
 *
 * @param byName policies by their names
 * @param defaultLimits the limits of annotations that state none, {@code comporta.default.limits};
 *     empty if not configured
 */
public record ConfiguredPolicies(
    Map<String, ConfiguredPolicy> byName, List<LimitSpec> defaultLimits) {

  /** No configuration. */
  public static final ConfiguredPolicies NONE = new ConfiguredPolicies(Map.of(), List.of());

  /** Copies what it is given. */
  public ConfiguredPolicies {
    byName = Map.copyOf(byName);
    defaultLimits = List.copyOf(defaultLimits);
  }

  /**
   * One policy of the configuration.
   *
   * @param place the key that first names the policy, for messages
   * @param limits in place of those of the annotation; empty if only tiers are configured
   * @param tiers the limits of each tier
   * @param algorithm how its limits and tiers count; when absent, as the annotation's limits do
   * @param by for whom they count; when absent, as the annotation's limits do
   */
  public record ConfiguredPolicy(
      String place,
      List<LimitSpec> limits,
      Map<String, List<LimitSpec>> tiers,
      Optional<Algorithm> algorithm,
      Optional<By> by) {

    /** Copies what it is given. */
    public ConfiguredPolicy {
      limits = List.copyOf(limits);
      tiers = Map.copyOf(tiers);
    }
  }
}
