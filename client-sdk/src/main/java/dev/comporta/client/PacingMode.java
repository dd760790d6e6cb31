package dev.comporta.client;

/** Whether requests are held back so that they are not refused. */
public enum PacingMode {

  /**
   * Requests leave at once while the server has some left for them, and evenly when it has not.
   * What is left is used as soon as it is wanted.
   */
  EAGER,

  /** Requests leave at once. Refused ones are still retried. */
  OFF
}
