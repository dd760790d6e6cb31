package dev.comporta.server.policy;

import dev.comporta.server.api.Charge;
import dev.comporta.server.api.CostResolver;
import dev.comporta.server.api.FailureRule;
import java.util.Optional;

/**
 * What applies to one resource method: a policy, what a request costs, and which requests keep what
 * they were charged.
 *
 * @param policy the policy
 * @param cost permits per request where no class computes them, 1 to the policy's smallest limit
 * @param costBy the class that computes the cost of each request, if there is one
 * @param charge which requests are charged; never {@link Charge#INHERIT}
 * @param failure the class that tells failures, if there is one and the charge depends on them
 */
public record PolicyBinding(
    Policy policy,
    long cost,
    Optional<Class<? extends CostResolver>> costBy,
    Charge charge,
    Optional<Class<? extends FailureRule>> failure) {

  /** Checks that the charge is decided. */
  public PolicyBinding {
    if (charge == Charge.INHERIT) {
      throw new IllegalArgumentException("charge must be decided, was INHERIT");
    }
  }

  /** Every request is charged that cost. */
  public PolicyBinding(Policy policy, long cost) {
    this(policy, cost, Optional.empty(), Charge.ALWAYS, Optional.empty());
  }
}
