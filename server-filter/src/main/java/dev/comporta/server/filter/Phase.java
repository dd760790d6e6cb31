package dev.comporta.server.filter;

import dev.comporta.server.policy.Policy;

/** When a request is decided. */
enum Phase {
  /** Nobody knows yet who sent it; what goes by address counts failing logins, too. */
  BEFORE_AUTHENTICATION,

  /** The caller is known. */
  AFTER_AUTHENTICATION;

  /** Whether requests under that policy are decided now. */
  boolean decides(Policy policy) {
    return policy.isDecidedBeforeAuthentication() == (this == BEFORE_AUTHENTICATION);
  }
}
