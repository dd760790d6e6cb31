package dev.comporta.server.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the policies of an application were before their limits or tiers changed while it runs, so
 * that usage can be kept: see {@link LimitMatching}. Immutable.
 *
 * @param changes how many changes there were, of any policy
 * @param byName of each policy that ever changed what it was, the newest first; {@value
 *     #MOST_FORMER} at most
 */
public record PolicyHistory(int changes, Map<String, List<Former>> byName) {

  /** As many as there may be former keys of a limit. */
  public static final int MOST_FORMER = 8;

  /** Nothing has changed. */
  public static final PolicyHistory NONE = new PolicyHistory(0, Map.of());

  /** Copies what it is given. */
  public PolicyHistory {
    byName = Map.copyOf(byName);
  }

  /**
   * A policy as it was.
   *
   * @param policy with the limits and tiers that it has no more
   * @param change the number of the change that ended it, from 1 on
   */
  public record Former(Policy policy, int change) {}

  /** What that policy was, one after the other, since so many changes; the oldest first. */
  public List<Policy> since(int changes, String name) {
    List<Policy> since = new ArrayList<>();
    for (Former former : byName.getOrDefault(name, List.of())) {
      if (former.change() > changes) {
        since.add(0, former.policy());
      }
    }
    return since;
  }

  /** The same and one more change, from these policies to those. */
  PolicyHistory changed(Map<String, Policy> before, Map<String, Policy> after) {
    Map<String, List<Former>> all = new HashMap<>(byName);
    before.forEach(
        (name, policy) -> {
          Policy now = after.get(name);
          if (now == null || !hasSameLimits(policy, now)) {
            List<Former> formers = new ArrayList<>(all.getOrDefault(name, List.of()));
            formers.add(0, new Former(policy, changes + 1));
            all.put(name, List.copyOf(formers.subList(0, Math.min(MOST_FORMER, formers.size()))));
          }
        });
    return new PolicyHistory(changes + 1, all);
  }

  private static boolean hasSameLimits(Policy one, Policy other) {
    return one.limits().equals(other.limits()) && one.tiers().equals(other.tiers());
  }
}
