package dev.comporta.server.algorithm;

import dev.comporta.server.api.Algorithm;
import java.math.BigInteger;

/**
 * A bucket of {@code burst} permits that refills evenly, as the generic cell rate algorithm: one
 * stored instant per caller.
 *
 * <p>Admits at most {@code burst + permits − 1} in any span of the window, and {@code burst} at
 * once.
 *
 * <p>Source: ITU-T I.371, virtual scheduling.
 */
public final class TokenBucket implements RateAlgorithm {

  /*
   * How this works, and why
   *
   * The state is the instant at which the bucket will be full again (the "theoretical arrival time"
   * of the GCRA). A request pushes it on by the time that its cost takes to refill; it is refused
   * when that would end later than now + the time that a whole burst takes.
   *
   * That time is rarely whole: 3 per second is 333 333 µs and a third. Rounding it down would give
   * away 94 permits a year at this rate, rounding it up would cost 190. So the instant is
   * q + r/P microseconds, where permits and window are reduced to P per W. With W = a·P + b,
   *
   *     span(n) = n·W/P = n·a + (n·b) div P   and   (n·b) mod P parts of P.
   *
   * A state that was written at another rate drains at that rate until the first admission at this
   * one, which counts in permits: used = (instant − now)·P'/W', and used + cost ≤ burst. Only then
   * is it written anew, as the span of what is used, rounded up to 1/P µs; so whole permits stay
   * whole however often two rates take turns, and a refusal changes nothing.
   *
   * A clock that has stepped back shows in that the instant is further away than when it was written
   * (AHEAD). Then the usage of that moment counts as of now.
   *
   * Law: n·b < P·(burst + 1) < 2^53, checked where a limit is read, so that the same arithmetic is
   * exact in the doubles of a Redis script.
   */

  private static final int Q = 0;
  private static final int R = 1;
  private static final int PERMITS = 2;
  private static final int WINDOW = 3;
  private static final int AHEAD = 4;
  private static final int LONGS = 5;

  /** Whole numbers up to here are exact in doubles. */
  private static final long EXACT = 1L << 53;

  private final long burst;
  private final long p;
  private final long w;
  private final long a;
  private final long b;
  private final long capacityQ;
  private final long capacityR;

  /**
   * A bucket that holds {@code burst} and refills {@code permits} per window.
   *
   * @param permits at least 1
   * @param windowMicros at least 1
   * @param burst at least 1
   */
  public TokenBucket(long permits, long windowMicros, long burst) {
    long gcd = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(windowMicros)).longValueExact();
    this.burst = burst;
    this.p = permits / gcd;
    this.w = windowMicros / gcd;
    this.a = w / p;
    this.b = w % p;
    this.capacityQ = spanQ(burst);
    this.capacityR = spanR(burst);
  }

  /** Permits per window once both are reduced by their common divisor. */
  public long reducedPermits() {
    return p;
  }

  /** The window in microseconds once permits and window are reduced by their common divisor. */
  public long reducedWindowMicros() {
    return w;
  }

  @Override
  public Algorithm kind() {
    return Algorithm.TOKEN_BUCKET;
  }

  @Override
  public long limit() {
    return burst;
  }

  @Override
  public long windowMicros() {
    return capacityQ + (capacityR > 0 ? 1 : 0);
  }

  @Override
  public long[] newState() {
    return new long[LONGS];
  }

  @Override
  public boolean rebase(long[] state, long nowMicros) {
    if (state[Q] - nowMicros <= state[AHEAD] || state[PERMITS] == 0) {
      return false;
    }
    state[Q] = nowMicros + state[AHEAD];
    return true;
  }

  @Override
  public Decision decide(long[] state, long cost, long nowMicros) {
    RateAlgorithm.requireCost(cost);
    if (cost > burst) {
      return Decision.IMPOSSIBLE;
    }
    if (isOfOtherRate(state, nowMicros)) {
      return usedAtOtherRate(state, nowMicros) <= burst - cost
          ? Decision.ALLOWED
          : new Decision.Denied(lateAtOtherRate(state, cost, nowMicros));
    }
    long late = lateMicros(state, cost, nowMicros);
    return late <= 0 ? Decision.ALLOWED : new Decision.Denied(late);
  }

  @Override
  public long[] charge(long[] state, long cost, long nowMicros) {
    convert(state, nowMicros);
    long r = fullR(state, nowMicros) + spanR(cost);
    long q = fullQ(state, nowMicros) + spanQ(cost);
    write(state, p == 1 ? q : q + r / p, p == 1 ? 0 : r % p, nowMicros);
    return state;
  }

  @Override
  public long[] surcharge(long[] state, long permits, long nowMicros) {
    convert(state, nowMicros);
    long ownDebt = Math.min(permits, burst);
    charge(state, ownDebt, nowMicros);
    if (permits > burst) {
      charge(state, Math.min(permits - burst, burst), nowMicros);
    }
    forgive(state, nowMicros);
    return state;
  }

  /*
   * A charge that was admitted had all come back once a whole burst had, so what still counts of it
   * is no more than the rest of that time. The rate stays that at which the state was written.
   */
  @Override
  public long[] refund(long[] state, long permits, long chargedAtMicros, long nowMicros) {
    if (state[Q] < nowMicros || state[PERMITS] == 0) {
      return state;
    }
    if (isOfOtherRate(state, nowMicros) && isExactAt(state[PERMITS], state[WINDOW])) {
      TokenBucket written = new TokenBucket(state[PERMITS], state[WINDOW], burst);
      return written.refund(state, permits, chargedAtMicros, nowMicros);
    }
    convert(state, nowMicros);
    long n = Math.min(permits, burst);
    long stillCountsQ = capacityQ - Math.max(0, nowMicros - chargedAtMicros);
    if (stillCountsQ <= 0) {
      return state;
    }
    boolean isWhole = !isLater(spanQ(n), spanR(n), stillCountsQ, capacityR);
    giveBack(state, isWhole ? spanQ(n) : stillCountsQ, isWhole ? spanR(n) : capacityR, nowMicros);
    return state;
  }

  @Override
  public long[] grant(long[] state, long permits, long nowMicros) {
    if (state[Q] < nowMicros || state[PERMITS] == 0) {
      return state;
    }
    convert(state, nowMicros);
    forgive(state, nowMicros);
    long n = Math.min(permits, burst);
    giveBack(state, spanQ(n), spanR(n), nowMicros);
    long ofDebt = Math.min(permits - n, burst);
    giveBack(state, spanQ(ofDebt), spanR(ofDebt), nowMicros);
    return state;
  }

  @Override
  public Standing standing(long[] state, long nowMicros) {
    if (isOfOtherRate(state, nowMicros)) {
      long left = Math.max(0, burst - usedAtOtherRate(state, nowMicros));
      long next = left > 0 ? 0 : lateAtOtherRate(state, 1, nowMicros);
      return new Standing(burst, left, effectEndsAtMicros(state) - nowMicros, next);
    }
    long q = fullQ(state, nowMicros);
    long r = fullR(state, nowMicros);
    long remaining = permitsWithin(nowMicros + capacityQ - q, capacityR - r);
    long nextAfter = remaining > 0 ? 0 : lateMicros(state, 1, nowMicros);
    return new Standing(burst, remaining, q - nowMicros + (r > 0 ? 1 : 0), nextAfter);
  }

  @Override
  public long effectEndsAtMicros(long[] state) {
    return state[Q] + (state[R] > 0 ? 1 : 0);
  }

  private void write(long[] state, long q, long r, long nowMicros) {
    state[Q] = q;
    state[R] = r;
    state[PERMITS] = p;
    state[WINDOW] = w;
    state[AHEAD] = q - nowMicros;
  }

  /** Usage and debt beyond twice the burst. */
  private void forgive(long[] state, long nowMicros) {
    long mostQ = nowMicros + 2 * capacityQ + 2 * capacityR / p;
    long mostR = 2 * capacityR % p;
    if (isLater(state[Q], state[R], mostQ, mostR)) {
      write(state, mostQ, mostR, nowMicros);
    }
  }

  private void giveBack(long[] state, long spanQ, long spanR, long nowMicros) {
    long q = state[Q] - spanQ;
    long r = state[R] - spanR;
    write(state, r < 0 ? q - 1 : q, r < 0 ? r + p : r, nowMicros);
    if (state[Q] < nowMicros) {
      write(state, nowMicros, 0, nowMicros);
    }
  }

  /** Whether this burst is counted exactly at that rate, in doubles as well. */
  private boolean isExactAt(long otherP, long otherW) {
    return burst < EXACT / otherP && burst / otherP < EXACT / otherW;
  }

  /** A bucket that is full again says nothing, at whichever rate. */
  private boolean isOfOtherRate(long[] state, long nowMicros) {
    return (state[PERMITS] != p || state[WINDOW] != w)
        && state[PERMITS] != 0
        && state[Q] >= nowMicros;
  }

  /** Permits used, a part of one as a whole one. */
  private static long usedAtOtherRate(long[] state, long nowMicros) {
    return Ratio.ceilSaturated(state[Q] - nowMicros, state[PERMITS], state[R], state[WINDOW]);
  }

  /** Until what is left of the usage, at the rate at which it was written, makes room. */
  private long lateAtOtherRate(long[] state, long cost, long nowMicros) {
    long mayBeAhead = Ratio.floorSaturated(burst - cost, state[WINDOW], state[R], state[PERMITS]);
    return state[Q] - mayBeAhead - nowMicros;
  }

  /** What is used at another rate, up to twice the burst, becomes the span it takes at this one. */
  private void convert(long[] state, long nowMicros) {
    if (!isOfOtherRate(state, nowMicros)) {
      return;
    }
    long ahead = state[Q] - nowMicros;
    long used = usedAtOtherRate(state, nowMicros);
    if (used > 2 * burst) {
      write(state, nowMicros + 2 * capacityQ + 2 * capacityR / p, 2 * capacityR % p, nowMicros);
      return;
    }
    long part = Ratio.remainder(ahead, state[PERMITS], state[R], state[WINDOW]);
    long whole = part == 0 ? used : used - 1;
    long parts = Ratio.ceil(part, w, state[WINDOW]);
    long r = spanR(whole) + parts % p;
    write(state, nowMicros + spanQ(whole) + parts / p + r / p, r % p, nowMicros);
  }

  /** By how much the cost would overfill the burst; it fits when this is not positive. */
  private long lateMicros(long[] state, long cost, long nowMicros) {
    if (p == 1) {
      return Math.max(0, state[Q] - nowMicros) + cost * w - capacityQ;
    }
    long r = fullR(state, nowMicros) + spanR(cost);
    long q = fullQ(state, nowMicros) + spanQ(cost) + r / p;
    return q - (nowMicros + capacityQ) + (r % p > capacityR ? 1 : 0);
  }

  /** The instant at which the bucket is full, never in the past. */
  private static long fullQ(long[] state, long nowMicros) {
    return Math.max(state[Q], nowMicros);
  }

  private static long fullR(long[] state, long nowMicros) {
    return state[Q] < nowMicros ? 0 : state[R];
  }

  /** The largest n with span(n) ≤ q + r/P, 0 in debt: an estimate in doubles, then corrected. */
  private long permitsWithin(long q, long r) {
    if (p == 1) {
      return q <= 0 ? 0 : Math.min(burst, q / w);
    }
    long wholeQ = r < 0 ? q - 1 : q;
    long wholeR = r < 0 ? r + p : r;
    if (wholeQ < 0) {
      return 0;
    }
    long n = Math.min(burst, (long) ((double) wholeQ * p / w));
    while (n > 0 && isLater(spanQ(n), spanR(n), wholeQ, wholeR)) {
      n--;
    }
    while (n < burst && !isLater(spanQ(n + 1), spanR(n + 1), wholeQ, wholeR)) {
      n++;
    }
    return n;
  }

  private static boolean isLater(long q, long r, long thanQ, long thanR) {
    return q > thanQ || (q == thanQ && r > thanR);
  }

  private long spanQ(long n) {
    return p == 1 ? n * w : n * a + n * b / p;
  }

  private long spanR(long n) {
    return p == 1 ? 0 : n * b % p;
  }
}
