package dev.comporta.server.policy;

import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks configuration about a policy whose name only an annotation tells: the name of an environment
 * variable, {@code COMPORTA_POLICIES_SEARCH_LIMITS}, can be found from the name of the policy, but
 * not the other way round.
 */
@FunctionalInterface
public interface PolicyLookup {

  /** Knows nothing. */
  PolicyLookup NONE = (name, faults) -> Optional.empty();

  /** The configuration of that policy, if there is any; what is wrong with it goes to faults. */
  Optional<ConfiguredPolicy> find(String name, Consumer<PolicyFault> faults);
}
