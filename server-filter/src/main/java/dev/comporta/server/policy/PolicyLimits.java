package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Puts together what annotations and configuration say of the limits of a policy. Limits of the
 * configuration replace those of the annotation; the way of counting that the configuration names
 * holds for all limits of the policy. Where it names none, configured limits count as those of the
 * annotation do, if these agree among themselves, and else with a token bucket per caller.
 */
final class PolicyLimits {

  private final ConfiguredPolicies configured;
  private final PolicyLookup lookup;
  private final Map<String, Optional<ConfiguredPolicy>> found = new HashMap<>();
  private final Set<PolicyFault> faults = new LinkedHashSet<>();

  PolicyLimits(ConfiguredPolicies configured, PolicyLookup lookup) {
    this.configured = configured;
    this.lookup = lookup;
  }

  /** What configuration says of that policy. */
  Optional<ConfiguredPolicy> configured(String name) {
    ConfiguredPolicy known = configured.byName().get(name);
    if (known != null) {
      return Optional.of(known);
    }
    return found.computeIfAbsent(name, asked -> lookup.find(asked, faults::add));
  }

  /** Mistakes in what was looked up. */
  List<PolicyFault> faults() {
    return List.copyOf(faults);
  }

  /** The names of policies that have dotted keys. */
  Set<String> configuredNames() {
    return configured.byName().keySet();
  }

  /** Limits where neither annotation nor policy states any; empty if not configured. */
  List<LimitSpec> defaults() {
    return configured.defaultLimits();
  }

  /**
   * A policy that the application has named; nothing if there are no limits at all.
   *
   * @param annotated the limits that an annotation states for it, if any
   */
  Optional<Policy> policy(String name, List<LimitSpec> annotated) {
    Optional<ConfiguredPolicy> setting = configured(name);
    if (setting.isEmpty()) {
      return annotated.isEmpty()
          ? Optional.empty()
          : Optional.of(new Policy(name, annotated, Map.of(), true));
    }
    List<LimitSpec> standing = annotated.isEmpty() ? defaults() : annotated;
    List<LimitSpec> limits = limits(setting.get(), standing);
    if (limits.isEmpty()) {
      return Optional.empty();
    }
    Map<String, List<LimitSpec>> tiers = new TreeMap<>();
    setting
        .get()
        .tiers()
        .forEach((tier, ofTier) -> tiers.put(tier, counted(ofTier, setting.get(), annotated)));
    return Optional.of(new Policy(name, limits, tiers, true));
  }

  /** Whether two lists hold the same limits, in whichever order. */
  static boolean isSame(List<LimitSpec> some, List<LimitSpec> others) {
    return sorted(some).equals(sorted(others));
  }

  private static List<LimitSpec> limits(ConfiguredPolicy setting, List<LimitSpec> annotated) {
    if (!setting.limits().isEmpty()) {
      return counted(setting.limits(), setting, annotated);
    }
    return annotated.stream()
        .map(
            limit ->
                limit
                    .countedBy(setting.algorithm().orElse(limit.algorithm()))
                    .perEach(setting.by().orElse(limit.by())))
        .toList();
  }

  private static List<LimitSpec> counted(
      List<LimitSpec> limits, ConfiguredPolicy setting, List<LimitSpec> annotated) {
    Algorithm algorithm =
        setting
            .algorithm()
            .or(() -> agreed(annotated, LimitSpec::algorithm))
            .orElse(Algorithm.TOKEN_BUCKET);
    By by = setting.by().or(() -> agreed(annotated, LimitSpec::by)).orElse(By.CALLER);
    return limits.stream().map(limit -> limit.countedBy(algorithm).perEach(by)).toList();
  }

  private static <T> Optional<T> agreed(List<LimitSpec> limits, Function<LimitSpec, T> aspect) {
    List<T> different = limits.stream().map(aspect).distinct().toList();
    return different.size() == 1 ? Optional.of(different.get(0)) : Optional.empty();
  }

  private static List<LimitSpec> sorted(List<LimitSpec> limits) {
    return limits.stream()
        .sorted(
            Comparator.comparing(LimitSpec::window)
                .thenComparing(LimitSpec::permits)
                .thenComparing(LimitSpec::burst)
                .thenComparing(LimitSpec::algorithm)
                .thenComparing(LimitSpec::by))
        .toList();
  }
}
