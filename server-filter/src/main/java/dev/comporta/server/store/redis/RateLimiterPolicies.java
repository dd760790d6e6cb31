package dev.comporta.server.store.redis;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Charge;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyBinding;
import dev.comporta.server.policy.PolicyCheck;
import dev.comporta.server.policy.PolicyFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@link RateLimiterStore} can count: one sliding window log, of which nothing comes back. */
final class RateLimiterPolicies implements PolicyCheck {

  private static final String SETTING = "comporta.redis.engine";

  @Override
  public List<PolicyFault> faults(PolicyBinding binding) {
    Policy policy = binding.policy();
    if (policy.mode() == Mode.OFF) {
      return List.of();
    }
    List<PolicyFault> faults = new ArrayList<>();
    String name = "policy '" + policy.name() + "'";
    check(name, policy.limits(), faults);
    policy.tiers().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(tier -> check(name + ", tier '" + tier.getKey() + "'", tier.getValue(), faults));
    if (binding.charge() != Charge.ALWAYS) {
      faults.add(
          fault(
              name,
              "must charge 'always', since nothing can be given back, was '"
                  + binding.charge().name().toLowerCase(Locale.ROOT)
                  + "'"));
    }
    if (policy.lease() > Policy.NO_LEASE) {
      faults.add(
          fault(
              name,
              "must have a lease of 1, since nothing can be given back, was " + policy.lease()));
    }
    return faults;
  }

  private static void check(String whose, List<LimitSpec> limits, List<PolicyFault> faults) {
    if (limits.size() > 1) {
      faults.add(fault(whose, "must have one limit, was " + limits.size() + ": " + limits));
    }
    limits.stream()
        .filter(limit -> limit.algorithm() != Algorithm.SLIDING_WINDOW_LOG)
        .forEach(
            limit ->
                faults.add(
                    fault(whose, "must count with algorithm=sliding-window-log, was " + limit)));
  }

  private static PolicyFault fault(String whose, String rule) {
    return new PolicyFault(SETTING, "with 'rate-limiter', " + whose + " " + rule);
  }
}
