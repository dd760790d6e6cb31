package dev.comporta.server.api;

/**
 * How a limit counts. Each constant says what it admits at most, what it keeps per caller, and when
 * to choose it. L is the number of permits, W the window.
 */
public enum Algorithm {
  /**
   * A bucket that holds {@code burst} permits and refills evenly, L per W.
   *
   * <p><b>Admits at most</b> burst + L in any span of W (199 of 100 when the burst is the limit).
   * <b>Keeps</b> one instant per caller. <b>Choose it</b> for most APIs: a caller that was idle may
   * send at once, a busy one is slowed to the even rate, and nobody waits for a window to end.
   *
   * <p>Source: the generic cell rate algorithm, ITU-T I.371.
   */
  TOKEN_BUCKET,

  /**
   * The count of this window plus the count of the window before it, weighted by the share of that
   * one which still lies within the last W.
   *
   * <p><b>Admits at most</b> 2L − 1 in any span of W, when a caller spends all at the end of one
   * window; L when it sends evenly. <b>Keeps</b> two counters per caller. <b>Choose it</b> when the
   * promise is "L in the last W" and an exact log of every request would be too large.
   */
  SLIDING_WINDOW_COUNTER
}
