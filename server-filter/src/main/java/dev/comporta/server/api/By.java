package dev.comporta.server.api;

/** Whose requests a limit counts together. */
public enum By {
  /**
   * Each caller has its own quota: the authenticated principal, else a verified API key, else the
   * client address. Decided after authentication.
   */
  CALLER,

  /**
   * Each client address has its own quota, whoever is logged in. A policy that has no other kind of
   * limit than this and {@link #EVERYONE} is decided before authentication, so that failing logins
   * count.
   */
  ADDRESS,

  /** All callers share one quota. It is told on the wire only when it refuses. */
  EVERYONE
}
