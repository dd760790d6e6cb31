package dev.comporta.server.store;

/**
 * What becomes of a request when the shared store does not answer. A genuine refusal is never
 * turned into anything else.
 */
public enum OnStoreFailure {

  /**
   * This node decides alone, with a share of each limit.
   *
   * <p><b>Admits:</b> at most nodes × share of the limit, on top of what the shared store admitted
   * before. <b>Answer:</b> as ever. <b>Choose it</b> unless you have a reason not to.
   */
  LOCAL,

  /**
   * The request passes without being counted.
   *
   * <p><b>Admits:</b> everything. <b>Answer:</b> the resource's, without rate limit headers.
   * <b>Choose it</b> where a limit only keeps order and the resource bears any load.
   */
  ALLOW,

  /**
   * The request is refused as unavailable.
   *
   * <p><b>Admits:</b> nothing. <b>Answer:</b> 503 with Retry-After, never a false 429. <b>Choose
   * it</b> where one request too many costs more than an outage.
   */
  DENY
}
