package dev.comporta.server.config;

/**
 * What becomes of a limited request whose caller nothing tells: nobody is logged in, no API key is
 * known, and the server does not tell the address of the other end. Each constant says who passes,
 * and when to choose it.
 */
public enum UnknownCaller {
  /**
   * It is refused with 403.
   *
   * <p><b>Passes</b> nobody. <b>Choose it</b> where every request must be accounted for.
   */
  DENY,

  /**
   * It passes without a limit.
   *
   * <p><b>Passes</b> everybody. <b>Choose it</b> where only trusted systems come without an
   * address.
   */
  ALLOW,

  /**
   * All such requests count together, as one caller.
   *
   * <p><b>Passes</b> as many as one caller may send. <b>Choose it</b> when in doubt.
   */
  SHARE
}
