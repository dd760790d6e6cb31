package dev.comporta.server.limiter;

import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyHistory;
import dev.comporta.server.store.MicrosClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits of every tier that has been asked for, ready to count. When a policy has changed, they
 * are made anew, and each limit continues the usage of the one that it replaces. Thread-safe.
 */
final class PolicyTiers {

  private final PolicyCatalog catalog;
  private final MicrosClock clock;
  private final Map<Tier, Known> known = new ConcurrentHashMap<>();

  PolicyTiers(PolicyCatalog catalog, MicrosClock clock) {
    this.catalog = catalog;
    this.clock = clock;
  }

  private record Tier(String policy, Optional<String> tier) {}

  /**
   * What a tier has now.
   *
   * @param changes how many of the catalog's changes it takes account of
   * @param dropsAtMicros when the first former key can be dropped
   */
  private record Known(
      CountedLimits all, Mode mode, TierLimits limits, int changes, long dropsAtMicros) {

    static Known of(Policy policy, CountedLimits all, int changes) {
      return new Known(
          all, policy.mode(), TierLimits.of(policy, all), changes, all.dropsAtMicros());
    }

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
    Tier key = new Tier(policy.name(), tier);
    Known last = known.get(key);
    if (last != null && isCurrent(last, policy, tier)) {
      return last.limits();
    }
    // One at a time, so that all limits that end lead to those that are counted from now on.
    return known.compute(key, (same, present) -> renewed(policy, tier, present)).limits();
  }

  private boolean isCurrent(Known last, Policy policy, Optional<String> tier) {
    return last.isOf(policy, policy.limitsOf(tier))
        && last.changes() == catalog.history().changes()
        && (last.dropsAtMicros() == Long.MAX_VALUE || clock.nowMicros() < last.dropsAtMicros());
  }

  private Known renewed(Policy policy, Optional<String> tier, @Nullable Known last) {
    if (last != null && isCurrent(last, policy, tier)) {
      return last;
    }
    PolicyHistory history = catalog.history();
    List<Policy> since =
        new ArrayList<>(history.since(last == null ? 0 : last.changes(), policy.name()));
    since.add(policy);
    long nowMicros = clock.nowMicros();
    Optional<CountedLimits> all = Optional.ofNullable(last).map(Known::all);
    for (Policy next : since) {
      CountedLimits fresh = CountedLimits.of(next, next.limitsOf(tier));
      all = all.map(before -> fresh.continuing(before, nowMicros)).or(() -> Optional.of(fresh));
    }
    return Known.of(policy, all.orElseThrow(), history.changes());
  }
}
