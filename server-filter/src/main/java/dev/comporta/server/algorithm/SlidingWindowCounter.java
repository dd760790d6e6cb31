package dev.comporta.server.algorithm;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Estimate;
import java.util.Arrays;

/**
 * The permits of the last window, estimated from one counter per segment.
 *
 * <p>Admits at most {@code 2·permits − 1} in any span of the window with {@link Estimate#EVEN} and
 * {@link Estimate#OBSERVED}, {@code permits} with {@link Estimate#STRICT}, whatever the number of
 * segments is.
 */
public final class SlidingWindowCounter implements RateAlgorithm {

  /*
   * How this works, and why
   *
   * Segments of S = ceil(W/k) µs are cut at multiples of S since the epoch, so that all nodes cut
   * them alike. Each has a counter: n permits, and a span [a, b] of time that the estimate chooses.
   * It counts whole until the span begins to leave the window, at a + W, and falls evenly to nothing
   * at b + W. With x = t − W:
   *
   *     counted = n if x < a;  0 if x ≥ b;  else ceil(n·(b − x)/(b − a))
   *
   * The ceiling matters: 49.5 counts as 50, or request 101 would pass. Spans are in order and do not
   * overlap, so only the oldest one that counts is ever falling.
   *
   * Retry-After solves counted + cost ≤ L, from the oldest counter on: rest = what newer ones hold,
   * room = L − cost − rest. With room < 0 this one must leave whole, and the next one is asked; else
   * it fits at b + W − floor(room·(b − a)/n).
   *
   * Worked (EVEN, k = 1): limit 60 per 60 s, previous window full, 12 s in, 12 used: 12 + ceil(60·48/60)
   * = 60. room = 60 − 1 − 12 = 47; 60 + 60 − floor(47·60/60) = 73, which is 13 s in: wait 1 s, not 48.
   *
   * A counter remembers its first and its last admission whatever the estimate is, so that estimate,
   * segments and window can change: its span follows from these. Counters that share a segment of a
   * new grid become one. One that lies across an edge of it keeps its own span, and what comes later
   * in its last segment gets a counter of its own: adding to a span that falls would lift it.
   *
   * A clock that steps back takes all instants along, and the grid of this state with them (PHASE),
   * so that everything counts as it did when it was written.
   */

  /** The grid under which the counters were cut; then n, first, last of each, newest first. */
  private static final int SEGMENT = 0;

  private static final int PHASE = 1;
  private static final int NEWEST = 2;
  private static final int N = 0;
  private static final int FIRST = 1;
  private static final int LAST = 2;
  private static final int LONGS = 3;

  private final long permits;
  private final long window;
  private final int segments;
  private final long segment;
  private final Estimate estimate;

  /**
   * A window of one segment with the classic estimate.
   *
   * @param permits at least 1
   * @param windowMicros at least 1
   */
  public SlidingWindowCounter(long permits, long windowMicros) {
    this(permits, windowMicros, 1, Estimate.EVEN);
  }

  /**
   * A window that admits {@code permits}.
   *
   * @param permits at least 1
   * @param windowMicros at least 1
   * @param segments into how many parts the window is cut, at least 1
   */
  public SlidingWindowCounter(long permits, long windowMicros, int segments, Estimate estimate) {
    this.permits = permits;
    this.window = windowMicros;
    this.segments = segments;
    this.segment = (windowMicros + segments - 1) / segments;
    this.estimate = estimate;
  }

  @Override
  public Algorithm kind() {
    return Algorithm.SLIDING_WINDOW_COUNTER;
  }

  @Override
  public long limit() {
    return permits;
  }

  @Override
  public long windowMicros() {
    return window;
  }

  /** Into how many parts the window is cut. */
  public int segments() {
    return segments;
  }

  /** How long a segment is: the window in as many parts, rounded up. */
  public long segmentMicros() {
    return segment;
  }

  /** How it estimates. */
  public Estimate estimate() {
    return estimate;
  }

  @Override
  public long[] newState() {
    return new long[NEWEST + (segments + 1) * LONGS];
  }

  @Override
  public boolean rebase(long[] state, long nowMicros) {
    long step = state[NEWEST + LAST] - nowMicros;
    if (step <= 0 || state[NEWEST + N] == 0) {
      return false;
    }
    for (int at = NEWEST; isCounter(state, at); at += LONGS) {
      state[at + FIRST] -= step;
      state[at + LAST] -= step;
    }
    state[PHASE] = Math.floorMod(state[PHASE] - step, state[SEGMENT]);
    return true;
  }

  @Override
  public Decision decide(long[] state, long cost, long nowMicros) {
    RateAlgorithm.requireCost(cost);
    if (cost > permits) {
      return Decision.IMPOSSIBLE;
    }
    long[] own = aligned(state);
    if (counted(own, nowMicros) + cost <= permits) {
      return Decision.ALLOWED;
    }
    return new Decision.Denied(fitsAt(own, cost) - nowMicros);
  }

  @Override
  public long[] charge(long[] state, long cost, long nowMicros) {
    if (state[SEGMENT] != segment) {
      regroup(state);
    }
    if (isInTheNewest(state, nowMicros)) {
      state[NEWEST + N] += cost;
      state[NEWEST + LAST] = nowMicros;
      return state;
    }
    long[] kept = withRoom(state, nowMicros);
    kept[NEWEST + N] = cost;
    kept[NEWEST + FIRST] = nowMicros;
    kept[NEWEST + LAST] = nowMicros;
    return kept;
  }

  @Override
  public long[] surcharge(long[] state, long permits, long nowMicros) {
    long most = 2 * this.permits - counted(aligned(state), nowMicros);
    return most <= 0 ? state : charge(state, Math.min(permits, most), nowMicros);
  }

  @Override
  public long[] refund(long[] state, long permits, long chargedAtMicros, long nowMicros) {
    long taken = Math.min(chargedAtMicros, nowMicros);
    for (int at = NEWEST; isCounter(state, at); at += LONGS) {
      if (state[at + FIRST] <= taken && taken <= state[at + LAST]) {
        giveBack(state, at, Math.min(permits, state[at + N]));
        forgetIfOver(state, nowMicros);
        return state;
      }
    }
    return state;
  }

  @Override
  public long[] grant(long[] state, long permits, long nowMicros) {
    if (state[SEGMENT] != segment) {
      regroup(state);
    }
    long left = permits;
    while (left > 0 && state[NEWEST + N] > 0) {
      long given = Math.min(left, state[NEWEST + N]);
      giveBack(state, NEWEST, given);
      left -= given;
    }
    forgetIfOver(state, nowMicros);
    return state;
  }

  /** What is over must not count again if the clock steps back, so it may not be the newest. */
  private void forgetIfOver(long[] state, long nowMicros) {
    if (effectEndsAtMicros(state) <= nowMicros) {
      Arrays.fill(state, NEWEST, state.length, 0);
    }
  }

  private static void giveBack(long[] state, int at, long permits) {
    state[at + N] -= permits;
    if (state[at + N] == 0) {
      int next = at + LONGS;
      System.arraycopy(state, next, state, at, state.length - next);
      state[state.length - LONGS + N] = 0;
    }
  }

  @Override
  public Standing standing(long[] state, long nowMicros) {
    long[] own = aligned(state);
    long remaining = Math.max(0, permits - counted(own, nowMicros));
    long nextAfter = remaining > 0 ? 0 : fitsAt(own, 1) - nowMicros;
    long wholeAfter = Math.max(0, endsAt(own) - nowMicros);
    return new Standing(permits, remaining, wholeAfter, nextAfter);
  }

  @Override
  public long effectEndsAtMicros(long[] state) {
    return endsAt(aligned(state));
  }

  private long endsAt(long[] own) {
    return own[NEWEST + N] == 0
        ? 0
        : spanEnd(own, NEWEST, startOf(own, own[NEWEST + FIRST])) + window;
  }

  /** The counters in the grid of this limit: the state itself, or a copy that was regrouped. */
  private long[] aligned(long[] state) {
    if (state[SEGMENT] == segment || state[NEWEST + N] == 0) {
      return state;
    }
    long[] copy = state.clone();
    regroup(copy);
    return copy;
  }

  /** Puts counters together that share a segment. They only become fewer. */
  private void regroup(long[] state) {
    state[SEGMENT] = segment;
    state[PHASE] = 0;
    if (state[NEWEST + N] == 0) {
      return;
    }
    int to = NEWEST;
    int from = NEWEST + LONGS;
    for (; isCounter(state, from); from += LONGS) {
      if (startOf(state, state[from + LAST]) >= startOf(state, state[to + FIRST])) {
        state[to + N] += state[from + N];
        state[to + FIRST] = Math.min(state[to + FIRST], state[from + FIRST]);
      } else {
        to += LONGS;
        System.arraycopy(state, from, state, to, LONGS);
      }
    }
    for (int at = to + LONGS; at < from; at += LONGS) {
      state[at + N] = 0;
    }
  }

  /** The state with a free newest counter; the oldest one goes once it cannot count any more. */
  private long[] withRoom(long[] state, long nowMicros) {
    int end = NEWEST;
    while (isCounter(state, end)) {
      end += LONGS;
    }
    if (end > NEWEST && isOver(state, NEWEST, nowMicros)) {
      Arrays.fill(state, 0);
      end = NEWEST;
    } else if (end > NEWEST && isOver(state, end - LONGS, nowMicros)) {
      end -= LONGS;
    }
    int needed = Math.max(end + LONGS, NEWEST + (segments + 1) * LONGS);
    long[] kept = state.length < needed ? new long[needed] : state;
    kept[SEGMENT] = segment;
    kept[PHASE] = state[PHASE];
    System.arraycopy(state, NEWEST, kept, NEWEST + LONGS, end - NEWEST);
    return kept;
  }

  /** Whether a counter counts nothing any more by any estimate. */
  private boolean isOver(long[] state, int at, long nowMicros) {
    return startOf(state, state[at + LAST]) + segment + window <= nowMicros;
  }

  private boolean isInTheNewest(long[] own, long nowMicros) {
    return own[NEWEST + N] > 0 && startOf(own, own[NEWEST + FIRST]) == startOf(own, nowMicros);
  }

  private static boolean isCounter(long[] state, int at) {
    return at < state.length && state[at + N] > 0;
  }

  private long startOf(long[] own, long micros) {
    return micros - Math.floorMod(micros - own[PHASE], segment);
  }

  private long counted(long[] own, long nowMicros) {
    long x = nowMicros - window;
    long sum = 0;
    for (int at = NEWEST; isCounter(own, at); at += LONGS) {
      if (x > own[at + FIRST] - segment) {
        long start = startOf(own, own[at + FIRST]);
        long b = spanEnd(own, at, start);
        if (x >= b) {
          return sum;
        }
        long a = spanStart(own, at, start);
        if (x >= a) {
          return sum + Ratio.ceil(own[at + N], b - x, b - a);
        }
      }
      sum += own[at + N];
    }
    return sum;
  }

  /** When a refused cost fits: once the newest counter for which there is no room has made it. */
  private long fitsAt(long[] own, long cost) {
    long room = permits - cost;
    int at = NEWEST;
    while (own[at + N] <= room) {
      room -= own[at + N];
      at += LONGS;
    }
    long start = startOf(own, own[at + FIRST]);
    long a = spanStart(own, at, start);
    long b = spanEnd(own, at, start);
    return b + window - Ratio.floor(room, b - a, own[at + N]);
  }

  /** The span of a counter whose first admission lies in the segment that begins at start. */
  private long spanStart(long[] own, int at, long start) {
    return switch (estimate) {
      case STRICT -> own[at + LAST];
      case OBSERVED -> own[at + FIRST];
      case EVEN -> isCutShort(own, at, start) ? own[at + FIRST] : start;
    };
  }

  private long spanEnd(long[] own, int at, long start) {
    return estimate == Estimate.EVEN && !isAcrossAnEdge(own, at, start)
        ? start + segment
        : own[at + LAST];
  }

  private boolean isCutShort(long[] own, int at, long start) {
    int older = at + LONGS;
    boolean isShared = isCounter(own, older) && own[older + LAST] >= start;
    return isShared || isAcrossAnEdge(own, at, start);
  }

  private boolean isAcrossAnEdge(long[] own, int at, long start) {
    return own[at + LAST] >= start + segment;
  }
}
