package dev.comporta.server.algorithm;

import dev.comporta.server.api.Algorithm;

/**
 * Every admission of the last window, with its instant.
 *
 * <p>Admits {@code permits} in any span of the window, and whatever is within that.
 */
public final class SlidingWindowLog implements RateAlgorithm {

  /*
   * How this works, and why
   *
   * Entries lie oldest first, one per instant, in an array that grows as far as it is needed. An
   * entry does not hold its own permits but the sum of all up to it. So what the last W holds is one
   * subtraction, once the oldest entry that counts is found; and the instant at which a refused cost
   * fits is that of the entry whose leaving makes room. Both are binary searches, so a caller who
   * knocks while it is refused costs as little as one who is admitted.
   *
   * An admission lets go of what has left the window, which moves HEAD; when the array is full, the
   * rest moves to its front, or to a larger array if it fills more than half of it. Each entry is
   * moved about once, so an admission costs the search and a constant.
   *
   * A debt makes at most 2·permits entries count. A window that is widened finds what is still there:
   * what an admission under the narrower one has let go of is forgotten.
   */

  /** The oldest entry kept, the first free one, the sum before the oldest; then the entries. */
  private static final int HEAD = 0;

  private static final int TAIL = 1;
  private static final int BASE = 2;
  private static final int ENTRIES = 3;
  private static final int LONGS = 2;
  private static final int FEW = 4;

  private final long permits;
  private final long window;

  /**
   * A log that admits {@code permits}.
   *
   * @param permits at least 1
   * @param windowMicros at least 1
   */
  public SlidingWindowLog(long permits, long windowMicros) {
    this.permits = permits;
    this.window = windowMicros;
  }

  @Override
  public Algorithm kind() {
    return Algorithm.SLIDING_WINDOW_LOG;
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
  public long[] newState() {
    return new long[ENTRIES + LONGS * (int) Math.min(FEW, 2 * permits)];
  }

  @Override
  public boolean rebase(long[] state, long nowMicros) {
    long step = isEmpty(state) ? 0 : instant(state, last(state)) - nowMicros;
    if (step <= 0) {
      return false;
    }
    for (int i = (int) state[HEAD]; i < state[TAIL]; i++) {
      state[at(i)] -= step;
    }
    return true;
  }

  @Override
  public Decision decide(long[] state, long cost, long nowMicros) {
    RateAlgorithm.requireCost(cost);
    if (cost > permits) {
      return Decision.IMPOSSIBLE;
    }
    int oldest = oldestThatCounts(state, nowMicros);
    return counted(state, oldest) + cost <= permits
        ? Decision.ALLOWED
        : new Decision.Denied(fitsAt(state, oldest, cost) - nowMicros);
  }

  @Override
  public long[] charge(long[] state, long cost, long nowMicros) {
    letGo(state, oldestThatCounts(state, nowMicros));
    if (!isEmpty(state) && instant(state, last(state)) == nowMicros) {
      state[at(last(state)) + 1] += cost;
      return state;
    }
    long[] kept = withRoom(state);
    int next = (int) kept[TAIL];
    kept[at(next)] = nowMicros;
    kept[at(next) + 1] = sumBefore(kept, next) + cost;
    kept[TAIL]++;
    return kept;
  }

  @Override
  public long[] surcharge(long[] state, long permits, long nowMicros) {
    long most = 2 * this.permits - counted(state, oldestThatCounts(state, nowMicros));
    return most <= 0 ? state : charge(state, Math.min(permits, most), nowMicros);
  }

  @Override
  public long[] refund(long[] state, long permits, long chargedAtMicros, long nowMicros) {
    int found = firstNotBefore(state, chargedAtMicros);
    if (found == state[TAIL] || instant(state, found) != chargedAtMicros) {
      return state;
    }
    long held = state[at(found) + 1] - sumBefore(state, found);
    long given = Math.min(permits, held);
    for (int i = found; i < state[TAIL]; i++) {
      state[at(i) + 1] -= given;
    }
    if (given == held) {
      System.arraycopy(
          state, at(found + 1), state, at(found), at((int) state[TAIL]) - at(found + 1));
      state[TAIL]--;
    }
    forgetIfOver(state, nowMicros);
    return state;
  }

  @Override
  public long[] grant(long[] state, long permits, long nowMicros) {
    long left = permits;
    while (left > 0 && !isEmpty(state)) {
      int last = last(state);
      long held = state[at(last) + 1] - sumBefore(state, last);
      long given = Math.min(left, held);
      state[at(last) + 1] -= given;
      state[TAIL] -= given == held ? 1 : 0;
      left -= given;
    }
    forgetIfOver(state, nowMicros);
    return state;
  }

  /** What is over must not count again if the clock steps back, so it may not be the last. */
  private void forgetIfOver(long[] state, long nowMicros) {
    if (effectEndsAtMicros(state) <= nowMicros) {
      letGo(state, (int) state[TAIL]);
    }
  }

  @Override
  public Standing standing(long[] state, long nowMicros) {
    int oldest = oldestThatCounts(state, nowMicros);
    long remaining = Math.max(0, permits - counted(state, oldest));
    long nextAfter = remaining > 0 ? 0 : fitsAt(state, oldest, 1) - nowMicros;
    long wholeAfter = Math.max(0, effectEndsAtMicros(state) - nowMicros);
    return new Standing(permits, remaining, wholeAfter, nextAfter);
  }

  @Override
  public long effectEndsAtMicros(long[] state) {
    return isEmpty(state) ? 0 : instant(state, last(state)) + window;
  }

  private static boolean isEmpty(long[] state) {
    return state[HEAD] == state[TAIL];
  }

  private static int last(long[] state) {
    return (int) state[TAIL] - 1;
  }

  private static int at(int entry) {
    return ENTRIES + LONGS * entry;
  }

  private static long instant(long[] state, int entry) {
    return state[at(entry)];
  }

  private static long sumBefore(long[] state, int entry) {
    return entry == state[HEAD] ? state[BASE] : state[at(entry) - 1];
  }

  private int oldestThatCounts(long[] state, long nowMicros) {
    return firstNotBefore(state, nowMicros - window + 1);
  }

  private static int firstNotBefore(long[] state, long instant) {
    return firstAtLeast(state, (int) state[HEAD], 0, instant);
  }

  /** The first entry from there on whose instant, or sum, is at least that. */
  private static int firstAtLeast(long[] state, int from, int part, long value) {
    int low = from;
    int high = (int) state[TAIL];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (state[at(middle) + part] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static long counted(long[] state, int oldest) {
    return oldest == state[TAIL] ? 0 : state[at(last(state)) + 1] - sumBefore(state, oldest);
  }

  /** When a refused cost fits: once the entries that take its room have left. */
  private long fitsAt(long[] state, int oldest, long cost) {
    long tooMuch = counted(state, oldest) + cost - permits;
    int leaves = firstAtLeast(state, oldest, 1, sumBefore(state, oldest) + tooMuch);
    return instant(state, leaves) + window;
  }

  private static void letGo(long[] state, int oldest) {
    if (oldest == state[TAIL]) {
      state[HEAD] = 0;
      state[TAIL] = 0;
      state[BASE] = 0;
      return;
    }
    long before = sumBefore(state, oldest);
    state[HEAD] = oldest;
    state[BASE] = before;
  }

  /** The state with a free entry behind the last one. */
  private long[] withRoom(long[] state) {
    if (at((int) state[TAIL]) < state.length) {
      return state;
    }
    int head = (int) state[HEAD];
    int live = (int) state[TAIL] - head;
    int capacity = (state.length - ENTRIES) / LONGS;
    boolean isRoomy = 2 * live <= capacity && capacity <= 2 * FEW * (live + 1);
    long wanted = Math.max(live + 1L, Math.min(2L * (live + 1), 2 * permits));
    long[] kept = isRoomy ? state : new long[at((int) wanted)];
    long base = state[BASE];
    System.arraycopy(state, at(head), kept, ENTRIES, LONGS * live);
    for (int i = 0; i < live; i++) {
      kept[at(i) + 1] -= base;
    }
    kept[HEAD] = 0;
    kept[TAIL] = live;
    kept[BASE] = 0;
    return kept;
  }
}
