package dev.comporta.server.api;

/**
 * Which requests keep what they were charged. A request is always charged before the resource runs,
 * so that requests in flight cannot exceed a limit together; what should not be charged is given
 * back when the answer is known, into the window that it was taken from.
 */
public enum Charge {
  /** As the annotation outside this one says; {@link #ALWAYS} if none does. */
  INHERIT,

  /** Every admitted request is charged. */
  ALWAYS,

  /**
   * Only a request that fails is charged: attempts to log in, guesses of a code. One that succeeds
   * gets its permits back.
   */
  FAILURES,

  /** Only a request that succeeds is charged: one that the service could not answer is free. */
  SUCCESSES
}
