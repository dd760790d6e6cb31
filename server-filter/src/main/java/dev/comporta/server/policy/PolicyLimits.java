package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Charge;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Puts together what annotations, configuration and running code say of the limits of a policy.
 * Limits of the configuration replace those of the annotation. What a configured limit does not say
 * of itself, the policy's own settings say; where they do not either, it counts as the limits of
 * the annotation do, if these agree among themselves, and else with a token bucket per caller.
 * Limits that running code has given replace all of these, but for tiers.
 */
final class PolicyLimits {

  /** Stands in for a limit that cannot count as it must; nothing is ever limited by it. */
  private static final LimitSpec STAND_IN = LimitSpec.parse("1000000000/1s");

  private final ConfiguredPolicies configured;
  private final PolicyLookup lookup;
  private final Map<String, List<LimitSpec>> overrides;
  private final Map<String, Optional<ConfiguredPolicy>> found = new HashMap<>();
  private final Set<PolicyFault> faults = new LinkedHashSet<>();
  private final Set<String> faulty = new HashSet<>(); // names of policies

  PolicyLimits(
      ConfiguredPolicies configured, PolicyLookup lookup, Map<String, List<LimitSpec>> overrides) {
    this.configured = configured;
    this.lookup = lookup;
    this.overrides = overrides;
  }

  /** What configuration says of that policy. */
  Optional<ConfiguredPolicy> configured(String name) {
    ConfiguredPolicy known = configured.byName().get(name);
    if (known != null) {
      return Optional.of(known);
    }
    return found.computeIfAbsent(name, asked -> lookup.find(asked, faults::add));
  }

  /** Mistakes in what was looked up, and in how limits must count. */
  List<PolicyFault> faults() {
    return List.copyOf(faults);
  }

  /** Whether something stands in for a limit of that policy. */
  boolean isFaulty(String name) {
    return faulty.contains(name);
  }

  /** All that is configured, but for what was looked up. */
  ConfiguredPolicies configured() {
    return configured;
  }

  /** Limits where neither annotation nor policy states any; empty if not configured. */
  List<LimitSpec> defaults(String name) {
    return configured.defaultLimits().stream()
        .map(text -> attempt(name, text, Algorithm.TOKEN_BUCKET, CountedFor.CALLER))
        .toList();
  }

  /** Which requests of a policy are charged, where an annotation says that. */
  Charge charge(Policy policy, Charge annotated) {
    return policy.isShared()
        ? configured(policy.name()).flatMap(some -> some.conduct().charge()).orElse(annotated)
        : annotated;
  }

  /**
   * A policy that the application has named; nothing if there are no limits at all.
   *
   * @param annotated the limits that an annotation states for it, if any
   */
  Optional<Policy> policy(String name, List<LimitSpec> annotated) {
    Optional<ConfiguredPolicy> setting = configured(name);
    List<LimitSpec> limits =
        setting.isPresent() ? limits(name, setting.get(), annotated) : annotated;
    List<LimitSpec> standing = overrides.getOrDefault(name, limits);
    if (limits.isEmpty() || standing.isEmpty()) {
      return Optional.empty();
    }
    Map<String, List<LimitSpec>> tiers = new TreeMap<>();
    setting
        .map(ConfiguredPolicy::tiers)
        .orElse(Map.of())
        .forEach(
            (tier, ofTier) ->
                tiers.put(tier, counted(name, ofTier, setting.orElseThrow(), annotated)));
    Mode mode = setting.flatMap(some -> some.conduct().mode()).orElse(configured.mode());
    int lease = setting.flatMap(some -> some.conduct().lease()).orElse(Policy.NO_LEASE);
    return Optional.of(new Policy(name, standing, tiers, true, mode, lease));
  }

  /** A policy that is named after its place. */
  Policy ownPolicy(String name, List<LimitSpec> limits) {
    return new Policy(
        name, overrides.getOrDefault(name, limits), Map.of(), false, configured.mode());
  }

  /** Whether two lists hold the same limits, in whichever order. */
  static boolean isSame(List<LimitSpec> some, List<LimitSpec> others) {
    return sorted(some).equals(sorted(others));
  }

  private List<LimitSpec> limits(String name, ConfiguredPolicy setting, List<LimitSpec> annotated) {
    if (!setting.limits().isEmpty()) {
      return counted(name, setting.limits(), setting, annotated);
    }
    if (annotated.isEmpty()) {
      return counted(name, configured.defaultLimits(), setting, annotated);
    }
    return annotated.stream()
        .map(
            limit ->
                attempt(
                    name,
                    setting.place(),
                    () -> {
                      LimitSpec counted =
                          setting.counting().algorithm().map(limit::countedBy).orElse(limit);
                      return setting
                          .counting()
                          .by()
                          .map(CountedFor::each)
                          .map(whom -> whom.applyTo(counted))
                          .orElse(counted);
                    }))
        .toList();
  }

  private List<LimitSpec> counted(
      String name, List<LimitText> limits, ConfiguredPolicy setting, List<LimitSpec> annotated) {
    Algorithm algorithm =
        setting
            .counting()
            .algorithm()
            .or(() -> agreed(annotated, LimitSpec::algorithm))
            .orElse(Algorithm.TOKEN_BUCKET);
    CountedFor whom =
        setting
            .counting()
            .by()
            .map(CountedFor::each)
            .or(() -> agreed(annotated, CountedFor::of))
            .orElse(CountedFor.CALLER);
    return limits.stream().map(limit -> attempt(name, limit, algorithm, whom)).toList();
  }

  /**
   * These limits, each of which counts as those that they replace do, if these agree among
   * themselves and it says nothing else.
   *
   * @throws IllegalArgumentException if one is not valid; the message names the rule and the value
   */
  static List<LimitSpec> inPlaceOf(List<LimitSpec> replaced, List<LimitText> limits, ZoneId zone) {
    Algorithm algorithm = agreed(replaced, LimitSpec::algorithm).orElse(Algorithm.TOKEN_BUCKET);
    CountedFor whom = agreed(replaced, CountedFor::of).orElse(CountedFor.CALLER);
    return limits.stream().map(limit -> limit.spec(algorithm, whom, zone)).toList();
  }

  private LimitSpec attempt(String name, LimitText limit, Algorithm algorithm, CountedFor whom) {
    return attempt(name, limit.place(), () -> limit.spec(algorithm, whom, configured.zone()));
  }

  private LimitSpec attempt(String name, String place, Supplier<LimitSpec> limit) {
    try {
      return limit.get();
    } catch (IllegalArgumentException refused) {
      faults.add(new PolicyFault(place, "policy '" + name + "': " + refused.getMessage()));
      faulty.add(name);
      return STAND_IN;
    }
  }

  private static <T> Optional<T> agreed(List<LimitSpec> limits, Function<LimitSpec, T> aspect) {
    List<T> different = limits.stream().map(aspect).distinct().toList();
    return different.size() == 1 ? Optional.of(different.get(0)) : Optional.empty();
  }

  /** Those that are equal in all the rest are told apart by their hashes. */
  private static List<LimitSpec> sorted(List<LimitSpec> limits) {
    return limits.stream()
        .sorted(
            Comparator.comparing(LimitSpec::window)
                .thenComparing(LimitSpec::permits)
                .thenComparing(LimitSpec::burst)
                .thenComparing(LimitSpec::algorithm)
                .thenComparing(LimitSpec::by)
                .thenComparing(LimitSpec::hashCode))
        .toList();
  }
}
