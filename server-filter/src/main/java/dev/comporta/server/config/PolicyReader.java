package dev.comporta.server.config;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.LimitSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads the policies of the configuration. */
final class PolicyReader {

  /**
   * Stands in for limits that could not be read, so that the rest can be checked without faults
   * that only follow from the first. No application starts with it.
   */
  private static final LimitSpec STAND_IN = LimitSpec.parse("1000000000/1s");

  private final Values values;
  private final Set<String> tierNames;

  PolicyReader(Values values, Set<String> tierNames) {
    this.values = values;
    this.tierNames = tierNames;
  }

  ConfiguredPolicies policies(Set<String> policyNames) {
    Map<String, ConfiguredPolicy> byName = new TreeMap<>();
    for (String name : policyNames) {
      policy(name).ifPresent(policy -> byName.put(name, policy));
    }
    return new ConfiguredPolicies(byName, limits(SettingKey.DEFAULT_LIMITS.key()));
  }

  /** The policy of that name, if any of its settings is set. */
  Optional<ConfiguredPolicy> policy(String name) {
    List<String> places = new ArrayList<>();
    List<LimitSpec> limits = limits(noted(SettingKey.POLICY_LIMITS.key(name), places));
    String algorithmKey = noted(SettingKey.POLICY_ALGORITHM.key(name), places);
    String byKey = noted(SettingKey.POLICY_BY.key(name), places);
    Optional<Algorithm> algorithm = values.parsed(algorithmKey, Values.oneOf(Algorithm.class));
    Optional<By> by = values.parsed(byKey, Values.oneOf(By.class));
    Map<String, List<LimitSpec>> tiers = new TreeMap<>();
    for (String tier : tierNames) {
      List<LimitSpec> ofTier = limits(noted(SettingKey.POLICY_TIER_LIMITS.key(name, tier), places));
      if (!ofTier.isEmpty()) {
        tiers.put(tier, ofTier);
      }
    }
    return places.stream()
        .findFirst()
        .map(place -> new ConfiguredPolicy(place, limits, tiers, algorithm, by));
  }

  private String noted(String key, List<String> places) {
    if (values.text(key).isPresent()) {
      places.add(key);
    }
    return key;
  }

  private List<LimitSpec> limits(String key) {
    Optional<String> text = values.text(key);
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> elements = Values.elements(text.get());
    if (elements.isEmpty()) {
      values.fault(key, "must have at least one limit, was '" + text.get() + "'");
      return List.of(STAND_IN);
    }
    return elements.stream()
        .map(one -> values.attempt(key, one, LimitSpec::parse).orElse(STAND_IN))
        .toList();
  }
}
