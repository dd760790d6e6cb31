package dev.comporta.server.algorithm;

/**
 * The count of this window plus the weighted count of the one before it, estimated as if its
 * requests had come evenly.
 *
 * <p>Admits at most {@code 2·permits − 1} in any span of the window (199 of 100: all at the end of
 * one window, and again as the weight of those falls), and {@code permits} when requests come
 * evenly.
 */
public final class SlidingWindowCounter implements RateAlgorithm {

  /*
   * How this works, and why
   *
   * Windows are cut at multiples of W since the epoch, so that all nodes cut them alike. At t, a
   * part e of this window has passed, and W − e of the window before still lies within the last W:
   *
   *     counted = current + ceil(previous·(W − e)/W)
   *
   * The ceiling matters: 49.5 counts as 50, or request 101 would pass.
   *
   * Retry-After solves counted + cost ≤ L for the instant. Within this window only the previous
   * count falls: with room = L − cost − current ≥ 0, it fits once W − e ≤ floor(room·W/previous).
   * With room < 0, current alone is too much; it starts to fall in the next window, by the same rule.
   *
   * Worked: limit 60 per 60 s, previous window full, 12 s in, 12 used: 12 + ceil(60·48/60) = 60.
   * room = 60 − 1 − 12 = 47; floor(47·60/60) = 47 s, so at 13 s: wait 1 s, not 48.
   */

  private static final int START = 0;
  private static final int CURRENT = 1;
  private static final int PREVIOUS = 2;
  private static final int WINDOW = 3;

  private final long permits;
  private final long window;

  /**
   * A window that admits {@code permits}.
   *
   * @param permits at least 1
   * @param windowMicros at least 1
   */
  public SlidingWindowCounter(long permits, long windowMicros) {
    this.permits = permits;
    this.window = windowMicros;
  }

  @Override
  public long limit() {
    return permits;
  }

  @Override
  public long windowMicros() {
    return window;
  }

  @Override
  public Decision decide(long[] state, long cost, long nowMicros) {
    RateAlgorithm.requireCost(cost);
    if (cost > permits) {
      return Decision.IMPOSSIBLE;
    }
    long start = windowStart(nowMicros);
    long current = current(state, start);
    long previous = previous(state, start);
    if (current + weighted(previous, nowMicros - start) + cost <= permits) {
      return Decision.ALLOWED;
    }
    return new Decision.Denied(fitsAt(start, current, previous, cost) - nowMicros);
  }

  @Override
  public long[] charge(long[] state, long cost, long nowMicros) {
    long start = windowStart(nowMicros);
    long current = current(state, start);
    long previous = previous(state, start);
    state[START] = start;
    state[CURRENT] = current + cost;
    state[PREVIOUS] = previous;
    state[WINDOW] = window;
    return state;
  }

  @Override
  public long[] surcharge(long[] state, long permits, long nowMicros) {
    return charge(state, Math.min(permits, limit()), nowMicros);
  }

  @Override
  public long[] refund(long[] state, long permits, long chargedAtMicros, long nowMicros) {
    return state;
  }

  @Override
  public Standing standing(long[] state, long nowMicros) {
    long start = windowStart(nowMicros);
    long current = current(state, start);
    long previous = previous(state, start);
    long counted = current + weighted(previous, nowMicros - start);
    long remaining = Math.max(0, permits - counted);
    long nextAfter = remaining > 0 ? 0 : fitsAt(start, current, previous, 1) - nowMicros;
    return new Standing(
        permits, remaining, wholeAt(start, current, previous, nowMicros) - nowMicros, nextAfter);
  }

  @Override
  public long effectEndsAtMicros(long[] state) {
    return wholeAt(state[START], state[CURRENT], state[PREVIOUS], state[START]);
  }

  @Override
  public boolean rebase(long[] state, long nowMicros) {
    if (state[WINDOW] == 0 || state[WINDOW] == window) {
      return false;
    }
    SlidingWindowCounter written = new SlidingWindowCounter(Long.MAX_VALUE, state[WINDOW]);
    long start = written.windowStart(nowMicros);
    long used =
        written.current(state, start)
            + written.weighted(written.previous(state, start), nowMicros - start);
    state[START] = windowStart(nowMicros);
    state[CURRENT] = Math.min(permits, used);
    state[PREVIOUS] = 0;
    state[WINDOW] = window;
    return true;
  }

  private long windowStart(long nowMicros) {
    return Math.floorDiv(nowMicros, window) * window;
  }

  /*
   * The two counts as seen from the window that starts at start. A state from a later window means
   * that the clock has stepped back: all that it counts, counts as of now, up to one full limit.
   */
  private long current(long[] state, long start) {
    if (state[START] == start) {
      return state[CURRENT];
    }
    return state[START] < start ? 0 : Math.min(permits, state[CURRENT] + state[PREVIOUS]);
  }

  private long previous(long[] state, long start) {
    if (state[START] == start) {
      return state[PREVIOUS];
    }
    return state[START] == start - window ? state[CURRENT] : 0;
  }

  private long weighted(long count, long elapsed) {
    return Ratio.ceil(count, window - elapsed, window);
  }

  private long fitsAt(long start, long current, long previous, long cost) {
    long room = permits - cost - current;
    if (room >= 0) {
      return start + window - Ratio.floor(room, window, previous);
    }
    return start + 2 * window - Ratio.floor(permits - cost, window, current);
  }

  private long wholeAt(long start, long current, long previous, long nowMicros) {
    if (current > 0) {
      return start + 2 * window;
    }
    return previous > 0 ? start + window : nowMicros;
  }
}
