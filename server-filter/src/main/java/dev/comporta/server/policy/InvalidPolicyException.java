package dev.comporta.server.policy;

import java.util.List;
import java.util.stream.Collectors;

/** Every mistake in the limits of an application, at once. Stops the deployment. */
public final class InvalidPolicyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<PolicyFault> faults;

  /** One exception for all these faults. */
  public InvalidPolicyException(List<PolicyFault> faults) {
    super(
        faults.stream()
            .map(fault -> "\n  - " + fault)
            .collect(
                Collectors.joining(
                    "", "Rate limits are not valid, " + faults.size() + " fault(s):", "")));
    this.faults = List.copyOf(faults);
  }

  /** The faults, in the order in which they were found. */
  public List<PolicyFault> faults() {
    return faults;
  }
}
