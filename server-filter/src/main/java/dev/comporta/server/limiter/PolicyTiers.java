package dev.comporta.server.limiter;

import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyCatalog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The limits of every tier that has been asked for, ready to count. When a policy has changed, they
 * are made anew, and each limit continues the usage of the one that it replaces. Thread-safe.
 */
final class PolicyTiers {

  private final PolicyCatalog catalog;
  private final Map<Tier, Known> known = new ConcurrentHashMap<>();

  PolicyTiers(PolicyCatalog catalog) {
    this.catalog = catalog;
  }

  private record Tier(String policy, Optional<String> tier) {}

  private record Known(CountedLimits all, Mode mode, TierLimits limits) {

    boolean isOf(Policy policy, List<LimitSpec> current) {
      return mode == policy.mode() && (all.specs() == current || all.specs().equals(current));
    }
  }

  /** The tier whose limits apply to a caller in that tier; empty for the common limits. */
  static Optional<String> tierOf(Policy policy, Optional<String> callerTier) {
    return callerTier.filter(policy.tiers()::containsKey);
  }

  /**
   * The limits of a tier as the policy now has them.
   *
   * @param tier as {@link #tierOf} gives it
   */
  TierLimits limits(Policy policy, Optional<String> tier) {
    List<LimitSpec> current = policy.limitsOf(tier);
    Tier key = new Tier(policy.name(), tier);
    Known last = known.get(key);
    if (last != null && last.isOf(policy, current)) {
      return last.limits();
    }
    CountedLimits all = continued(policy, tier, Optional.ofNullable(last).map(Known::all));
    TierLimits limits = TierLimits.of(policy, all);
    known.put(key, new Known(all, policy.mode(), limits));
    return limits;
  }

  private CountedLimits continued(
      Policy policy, Optional<String> tier, Optional<CountedLimits> last) {
    CountedLimits fresh = CountedLimits.of(policy, policy.limitsOf(tier));
    return last.or(
            () ->
                catalog
                    .former(policy.name())
                    .map(former -> CountedLimits.of(policy, former.limitsOf(tier))))
        .map(fresh::continuing)
        .orElse(fresh);
  }
}
