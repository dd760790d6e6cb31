package dev.comporta.server.api;

/**
 * How a {@linkplain Algorithm#SLIDING_WINDOW_COUNTER weighted window} estimates how many of the
 * requests that it has counted lie within the last W. A counter keeps a number and a span of time;
 * it counts whole until the span begins to leave the window, then falls evenly to nothing. The
 * constants differ in the span. L is the number of permits, W the window, k the number of segments.
 */
public enum Estimate {
  /**
   * As if requests had come evenly over their segment: the classic formula.
   *
   * <p><b>Admits at most</b> 2L − 1 in any span of W whatever k is, when a caller spends all in the
   * last instant of a segment; L in any span of W·(1 − 1/k). <b>Withholds</b> nothing from even
   * traffic. <b>Choose it</b> when in doubt.
   */
  EVEN,

  /**
   * As if requests had come evenly between the first and the last that the segment admitted.
   *
   * <p><b>Admits at most</b> 2L − 1 in any span of W, for a caller that sends one request early in
   * a segment and the rest at its end; L for one that sends all at once. <b>Withholds</b> nothing
   * from even traffic. <b>Choose it</b> for bursty callers: of the three it is nearest to an exact
   * log.
   */
  OBSERVED,

  /**
   * As if all requests of a segment had come with its last one.
   *
   * <p><b>Admits at most</b> L in any span of W. <b>Withholds</b> up to 1/(k + 1) of the rate from
   * even traffic: use 10 segments or more. <b>Choose it</b> where one request too many is worse
   * than one too few, and a log is too large.
   */
  STRICT
}
