package dev.comporta.server.caller;

/**
 * What becomes of a request that must be counted for a caller when nobody can tell whose it is: no
 * identifier recognises it, and the server does not even know the address at the other end, as
 * behind a Unix socket. A limit for everyone needs no caller and decides as ever.
 */
public enum UnknownCaller {

  /**
   * The request is refused.
   *
   * <p><b>Admits:</b> nothing. <b>Answer:</b> 403, the caller cannot be told; never 429, since
   * waiting does not help. <b>Choose it</b> unless you have a reason not to.
   */
  DENY,

  /**
   * The limits that go by caller are left out.
   *
   * <p><b>Admits:</b> whatever the limits for everyone admit. <b>Answer:</b> the resource's, with
   * rate limit headers of the limits that decided. <b>Choose it</b> where such requests come from
   * inside alone, for example from a sidecar through a Unix socket.
   */
  ALLOW,

  /**
   * All such requests are one caller.
   *
   * <p><b>Admits:</b> one quota for all of them together: one that floods refuses the others.
   * <b>Answer:</b> as ever. <b>Choose it</b> where they are few and must be limited all the same.
   */
  SHARE
}
