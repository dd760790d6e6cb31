package dev.comporta.server.policy;

/**
 * One mistake in annotations or configuration.
 *
 * @param place where it stands: a configuration key, or a class and method
 * @param problem the rule that is broken, and the value that breaks it
 */
public record PolicyFault(String place, String problem) {

  /** Problem and place on one line. */
  @Override
  public String toString() {
    return problem + " (" + place + ")";
  }
}
