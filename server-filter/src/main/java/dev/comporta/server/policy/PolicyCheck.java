package dev.comporta.server.policy;

import java.util.List;

/**
 * What else policies must keep to, such as what the store can count. Asked whenever policies are
 * put together, at the start and for every change; what it finds is a fault like any other.
 */
@FunctionalInterface
public interface PolicyCheck {

  /** Finds nothing. */
  PolicyCheck NONE = binding -> List.of();

  /** What is wrong with a policy, or with how it is charged at some resource method. */
  List<PolicyFault> faults(PolicyBinding binding);
}
