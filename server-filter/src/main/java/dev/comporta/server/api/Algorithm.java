package dev.comporta.server.api;

/**
 * How a limit counts. Each constant says what it admits at most, what it keeps per caller, what a
 * decision costs, and when to choose it. L is the number of permits, W the window.
 */
public enum Algorithm {
  /**
   * A bucket that holds {@code burst} permits and refills evenly, L per W.
   *
   * <p><b>Admits at most</b> burst + L − 1 in any span of W (199 of 100 when the burst is the
   * limit). <b>Keeps</b> one instant per caller. <b>Costs</b> the same whatever L is. <b>Choose
   * it</b> for most APIs: a caller that was idle may send at once, a busy one is slowed to the even
   * rate, and nobody waits for a window to end.
   *
   * <p>Source: the generic cell rate algorithm, ITU-T I.371.
   */
  TOKEN_BUCKET,

  /**
   * The count of this window plus the count of the window before it, weighted by the share of that
   * one which still lies within the last W. {@link Estimate} says how that share is found, and
   * {@link Limit#segments()} into how many parts a window is cut.
   *
   * <p><b>Admits at most</b> 2L − 1 in any span of W with {@link Estimate#EVEN} or {@link
   * Estimate#OBSERVED}, L with {@link Estimate#STRICT}. <b>Keeps</b> one counter per segment and
   * one more. <b>Costs</b> one step per segment. <b>Choose it</b> when the promise is "L in the
   * last W" and an exact log of every request would be too large.
   */
  SLIDING_WINDOW_COUNTER,

  /**
   * Every admission of the last W, with its instant.
   *
   * <p><b>Admits at most</b> L in any span of W, and whatever is within that. <b>Keeps</b> up to 2L
   * instants per caller; limits of more than 10 000 permits are refused at the start. <b>Costs</b>
   * what leaves the window, once each. <b>Choose it</b> for small limits that must be exact:
   * logins, payments, messages.
   */
  SLIDING_WINDOW_LOG,

  /**
   * One counter that starts anew with every window. Windows begin at multiples of W since the
   * epoch, or with the calendar: {@code day}, {@code week}, {@code month} in a time zone.
   *
   * <p><b>Admits at most</b> L in each window, and so 2L in a span of W that lies across an edge.
   * <b>Keeps</b> one counter per caller. <b>Costs</b> least. <b>Choose it</b> for quotas that
   * people read: "1000 a day", "10 000 a month".
   */
  FIXED_WINDOW
}
