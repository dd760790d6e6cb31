package dev.comporta.client.pacing;

/** Whether and how requests are held back so that they are not refused. */
public enum Pacing {

  /**
   * Requests leave at once while the server has some left for them, and evenly when it has not.
   *
   * <p><b>Costs</b> nothing while the quota suffices. <b>Choose it</b> unless one of the others
   * fits better: what is left is used as soon as it is wanted.
   */
  EAGER,

  /**
   * Requests leave evenly from the first one on, as fast as the limit allows in the long run.
   *
   * <p><b>Costs</b> a wait for requests that come together, though the quota would have them.
   * <b>Choose it</b> for batch work, and for a server that suffers from bursts.
   */
  SPREAD,

  /**
   * Requests leave at once. Refused ones are still retried.
   *
   * <p><b>Costs</b> refusals. <b>Choose it</b> where something else keeps the limit.
   */
  OFF
}
