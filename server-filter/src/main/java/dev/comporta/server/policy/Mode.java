package dev.comporta.server.policy;

/**
 * What a policy does about a request that exceeds it. Each constant says what it counts, what it
 * answers, and when to choose it.
 */
public enum Mode {
  /**
   * It limits.
   *
   * <p><b>Counts</b> every request. <b>Answers</b> one that exceeds a limit with 429, and tells
   * quotas in headers. <b>Choose it</b> when the limits are known to be right.
   */
  ENFORCE,

  /**
   * It watches.
   *
   * <p><b>Counts</b> every request as if it limited. <b>Answers</b> nothing itself: every request
   * passes, without headers, and what would have been refused is reported. <b>Choose it</b> to find
   * out whom new limits would hit.
   */
  SHADOW,

  /**
   * It is switched off.
   *
   * <p><b>Counts</b> nothing. <b>Answers</b> nothing. <b>Choose it</b> when limits must not stand
   * in the way now, and should come back without a new deployment.
   */
  OFF
}
