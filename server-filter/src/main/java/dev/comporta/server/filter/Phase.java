package dev.comporta.server.filter;

import dev.comporta.server.policy.Policy;

/** When a request is decided. */
enum Phase {
  /** Nobody knows yet who sent it; what goes by address counts failing logins, too. */
  BEFORE_AUTHENTICATION,

  /**
   * The caller is known. What has not been decided until now is decided here, whatever the policy:
   * its limits may have changed since the phase before.
   */
  AFTER_AUTHENTICATION;

  /** Whether a request under that policy that is not decided yet is decided now. */
  boolean decides(Policy policy) {
    return this == AFTER_AUTHENTICATION || policy.isDecidedBeforeAuthentication();
  }
}
