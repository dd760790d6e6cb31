package dev.comporta.server.policy;

import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/*
 * How this works, and why. A policy in the configuration that no resource names is a mistake when
 * its name is nearly one that resources do name: comporta.policies.serch.limits limits nothing,
 * and the operator believes otherwise. But a sub-resource behind a locator is discovered at its
 * first request, and may name it yet. So it is a fault only where no locator is known, and only
 * if the similar name has no configuration of its own; otherwise a warning.
 */
/** Finds policies of the configuration that no resource names. */
final class UnusedPolicies {

  private UnusedPolicies() {}

  /**
   * Those whose name is nearly one that resources name, or all others.
   *
   * @param named what resources name
   */
  static List<PolicyFault> of(
      ConfiguredPolicies configured, Set<String> named, boolean isLikelyMisspelt) {
    Set<String> candidates = new TreeSet<>(named);
    candidates.removeAll(configured.byName().keySet());
    List<PolicyFault> unused = new ArrayList<>();
    for (Map.Entry<String, ConfiguredPolicy> setting :
        new TreeMap<>(configured.byName()).entrySet()) {
      String name = setting.getKey();
      int maxDistance = Math.min(2, (name.length() - 1) / 2);
      Optional<String> nearest = NearestName.of(name, candidates, maxDistance);
      if (!named.contains(name) && nearest.isPresent() == isLikelyMisspelt) {
        String place = setting.getValue().place();
        String guess = nearest.map(other -> "; nearest: '" + other + "'").orElse("");
        unused.add(new PolicyFault(place, "no resource names policy '" + name + "'" + guess));
      }
    }
    return unused;
  }
}
