package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Charge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a policy must keep to so that nodes can take leases of it: permits for decisions to come.
 */
public final class LeaseCheck implements PolicyCheck {

  @Override
  public List<PolicyFault> faults(PolicyBinding binding) {
    Policy policy = binding.policy();
    if (policy.lease() == Policy.NO_LEASE || policy.mode() == Mode.OFF) {
      return List.of();
    }
    List<PolicyFault> faults = new ArrayList<>();
    if (policy.lease() > policy.maxCost()) {
      faults.add(
          fault(
              policy,
              "must be at most "
                  + policy.maxCost()
                  + ", what the smallest limit of policy '"
                  + policy.name()
                  + "' can ever admit, was "
                  + policy.lease()));
    }
    enforced(policy)
        .filter(limit -> limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG)
        .forEach(
            log -> faults.add(fault(policy, uncountable(policy, "a sliding-window-log", log))));
    if (binding.charge() != Charge.ALWAYS) {
      faults.add(
          fault(
              policy,
              uncountable(
                  policy,
                  "any charge but 'always'",
                  binding.charge().name().toLowerCase(java.util.Locale.ROOT))));
    }
    return faults;
  }

  /* Limits in shadow mode are decided by themselves, and take no leases. */
  private static Stream<LimitSpec> enforced(Policy policy) {
    return Stream.concat(
            policy.limits().stream(),
            policy.tiers().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(tier -> tier.getValue().stream()))
        .filter(limit -> !limit.isShadow())
        .distinct();
  }

  private static String uncountable(Policy policy, String what, Object was) {
    return "must be 1 with "
        + what
        + ", was "
        + policy.lease()
        + " with policy '"
        + policy.name()
        + "': "
        + was;
  }

  private static PolicyFault fault(Policy policy, String problem) {
    return new PolicyFault("comporta.policies." + policy.name() + ".lease", problem);
  }
}
