package dev.comporta.server.limiter;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimits;
import dev.comporta.server.caller.AddressCaller;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.store.KeyedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The limits of one application, for its own code. Thread-safe. */
public final class RunningLimits implements RateLimits {

  private final PolicyCatalog catalog;
  private final Supplier<Limiter> limiter;

  /**
   * The limits of an application.
   *
   * @param limiter that of the application, opened if it is not yet
   */
  public RunningLimits(PolicyCatalog catalog, Supplier<Limiter> limiter) {
    this.catalog = catalog;
    this.limiter = limiter;
  }

  @Override
  public List<Quota> peek(Caller caller) {
    return limiter
        .get()
        .quotas()
        .read(
            catalog.sharedPolicies(),
            policy -> PolicyTiers.tierOf(policy, caller.tier()),
            limit -> keyStart(limit, caller));
  }

  @Override
  public void reset(Caller caller) {
    catalog.policies().forEach(policy -> reset(policy, caller));
  }

  @Override
  public void reset(String policy, Caller caller) {
    reset(policy(policy), caller);
  }

  @Override
  public void grant(String policy, Caller caller, long permits) {
    RateAlgorithm.requireCost(permits);
    Policy named = policy(policy);
    CountedLimits limits =
        limiter.get().tiers().limits(named, PolicyTiers.tierOf(named, caller.tier())).enforced();
    for (KeyedLimit limit : keyed(limits, caller)) {
      parts().store().grant(List.of(limit), permits);
    }
  }

  @Override
  public void block(Caller caller, Duration duration) {
    if (duration.isNegative()
        || duration.isZero()
        || duration.compareTo(LimitSpec.MAX_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "a block must last more than 0 and at most 400d, was " + duration);
    }
    limiter.get().changes().block(parts().keys().hash(caller), duration);
  }

  @Override
  public void unblock(Caller caller) {
    limiter.get().changes().unblock(parts().keys().hash(caller));
  }

  @Override
  public Optional<Duration> blockedFor(Caller caller) {
    return limiter.get().changes().blockedFor(parts().keys().hash(caller));
  }

  @Override
  public void change(String policy, List<String> limits) {
    policy(policy);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("policy '" + policy + "' must have at least one limit");
    }
    List<PolicyFault> faults = catalog.faultsOfOverride(policy, catalog.inPlaceOf(policy, limits));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          faults.stream().map(PolicyFault::toString).collect(Collectors.joining("; ")));
    }
    limiter.get().changes().change(policy, limits);
  }

  @Override
  public void revert(String policy) {
    limiter.get().changes().revert(policy);
  }

  /*
   * The usage of all tiers: who is in another tier today was perhaps in this one before. Tiers whose
   * limits have the same windows share their keys.
   */
  private void reset(Policy policy, Caller caller) {
    Map<String, KeyedLimit> byKey = new LinkedHashMap<>();
    List<Optional<String>> all = new ArrayList<>(List.of(Optional.empty()));
    policy.tiers().keySet().forEach(tier -> all.add(Optional.of(tier)));
    for (Optional<String> tier : all) {
      TierLimits limits = limiter.get().tiers().limits(policy, tier);
      note(byKey, keyed(limits.enforced(), caller));
      limits.shadows().forEach(shadow -> note(byKey, keyed(shadow, caller)));
    }
    if (!byKey.isEmpty()) {
      parts().store().reset(List.copyOf(byKey.values()));
    }
  }

  /* A former key as a limit of its own: tiers that share a key may have had different ones. */
  private static void note(Map<String, KeyedLimit> byKey, List<KeyedLimit> keyed) {
    for (KeyedLimit limit : keyed) {
      byKey.putIfAbsent(limit.key(), new KeyedLimit(limit.key(), limit.limit()));
      limit
          .formerKeys()
          .forEach(former -> byKey.putIfAbsent(former, new KeyedLimit(former, limit.limit())));
    }
  }

  private List<KeyedLimit> keyed(CountedLimits limits, Caller caller) {
    return limits
        .only(limit -> keyStart(limit, caller).isPresent())
        .keyed(limit -> keyStart(limit, caller).orElseThrow());
  }

  /*
   * An address has limits by address, and those by caller while nobody is logged in. Any other caller
   * has limits by caller, and those keyed by a class that may have named it.
   */
  private Optional<String> keyStart(LimitSpec limit, Caller caller) {
    boolean isAddress = caller.kind().equals(AddressCaller.KIND);
    boolean isCounted =
        limit.keyedBy().isPresent()
            || limit.by() == By.CALLER
            || (limit.by() == By.ADDRESS && isAddress);
    return isCounted ? Optional.of(parts().keys().of(caller)) : Optional.empty();
  }

  private Limiter.Parts parts() {
    return limiter.get().parts();
  }

  private Policy policy(String name) {
    return catalog
        .policy(name)
        .orElseThrow(() -> new IllegalArgumentException("there is no policy '" + name + "'"));
  }
}
