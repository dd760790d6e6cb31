package dev.comporta.server.algorithm;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitWindow;

/**
 * One counter that starts anew with every window.
 *
 * <p>Admits {@code permits} in each window, and so up to {@code 2·permits} in a span of the same
 * length that lies across an edge.
 */
public final class FixedWindow implements RateAlgorithm {

  /*
   * How this works, and why
   *
   * The state is a count and the instant of the last charge. The count is of the present window if
   * that instant is; otherwise nothing is used. So a window that is changed, or a calendar whose
   * zone is, needs no other state: what was counted up to a charge in the present window counts.
   *
   * To find the edges of a month in a time zone costs far more than a decision. They are remembered
   * as one immutable object: threads may replace it by another one at any time, each is right.
   */

  private static final int COUNT = 0;
  private static final int LAST = 1;
  private static final int LONGS = 2;

  private final long permits;
  private final LimitWindow window;
  private volatile Edges edges = new Edges(0, 0);

  /** A window of time, its end excluded. */
  private record Edges(long startMicros, long endMicros) {}

  /**
   * A window that admits {@code permits}.
   *
   * @param permits at least 1
   */
  public FixedWindow(long permits, LimitWindow window) {
    this.permits = permits;
    this.window = window;
  }

  @Override
  public Algorithm kind() {
    return Algorithm.FIXED_WINDOW;
  }

  @Override
  public long limit() {
    return permits;
  }

  /** The length of a window; that of the longest for a calendar. */
  @Override
  public long windowMicros() {
    return window.lengthMicros();
  }

  /** Where the windows begin and end. */
  public LimitWindow window() {
    return window;
  }

  @Override
  public long[] newState() {
    return new long[LONGS];
  }

  @Override
  public boolean rebase(long[] state, long nowMicros) {
    if (state[COUNT] == 0 || state[LAST] <= nowMicros) {
      return false;
    }
    state[LAST] = nowMicros;
    return true;
  }

  @Override
  public Decision decide(long[] state, long cost, long nowMicros) {
    RateAlgorithm.requireCost(cost);
    if (cost > permits) {
      return Decision.IMPOSSIBLE;
    }
    Edges present = edgesAt(nowMicros);
    return counted(state, present) + cost <= permits
        ? Decision.ALLOWED
        : new Decision.Denied(present.endMicros - nowMicros);
  }

  @Override
  public long[] charge(long[] state, long cost, long nowMicros) {
    state[COUNT] = counted(state, edgesAt(nowMicros)) + cost;
    state[LAST] = nowMicros;
    return state;
  }

  @Override
  public long[] surcharge(long[] state, long permits, long nowMicros) {
    long most = 2 * this.permits - counted(state, edgesAt(nowMicros));
    return most <= 0 ? state : charge(state, Math.min(permits, most), nowMicros);
  }

  @Override
  public long[] refund(long[] state, long permits, long chargedAtMicros, long nowMicros) {
    Edges present = edgesAt(nowMicros);
    if (chargedAtMicros >= present.startMicros) {
      state[COUNT] = Math.max(0, counted(state, present) - permits);
    }
    return state;
  }

  @Override
  public long[] grant(long[] state, long permits, long nowMicros) {
    state[COUNT] = Math.max(0, counted(state, edgesAt(nowMicros)) - permits);
    return state;
  }

  @Override
  public Standing standing(long[] state, long nowMicros) {
    Edges present = edgesAt(nowMicros);
    long counted = counted(state, present);
    long remaining = Math.max(0, permits - counted);
    long untilEnd = present.endMicros - nowMicros;
    return new Standing(
        permits, remaining, counted == 0 ? 0 : untilEnd, remaining == 0 ? untilEnd : 0);
  }

  @Override
  public long effectEndsAtMicros(long[] state) {
    return state[COUNT] == 0 ? 0 : edgesAt(state[LAST]).endMicros;
  }

  private static long counted(long[] state, Edges present) {
    return state[LAST] >= present.startMicros ? state[COUNT] : 0;
  }

  private Edges edgesAt(long nowMicros) {
    Edges known = edges;
    if (known.startMicros <= nowMicros && nowMicros < known.endMicros) {
      return known;
    }
    Edges found = new Edges(window.startMicros(nowMicros), window.endMicros(nowMicros));
    edges = found;
    return found;
  }
}
