package dev.comporta.server.algorithm;

import java.math.BigInteger;

/**
 * A bucket of {@code burst} permits that refills evenly, as the generic cell rate algorithm: one
 * stored instant per caller.
 *
 * <p>Admits at most {@code burst + permits} in any span of the window, and {@code burst} at once.
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
   * Worked: 3 per second, P = 3, W = 1 000 000, a = 333 333, b = 1. span(1) = 333 333 + 1/3,
   * span(2) = 666 666 + 2/3, span(3) = 1 000 000 exactly.
   *
   * Law: n·b < P·(burst + 1) < 2^53, checked where a limit is read, so that the same arithmetic is
   * exact in the doubles of a Redis script.
   */

  private static final int Q = 0;
  private static final int R = 1;
  private static final int PERMITS = 2;
  private static final int WINDOW = 3;

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
  public long limit() {
    return burst;
  }

  @Override
  public long windowMicros() {
    return capacityQ + (capacityR > 0 ? 1 : 0);
  }

  @Override
  public Decision decide(long[] state, long cost, long nowMicros) {
    RateAlgorithm.requireCost(cost);
    if (cost > burst) {
      return Decision.IMPOSSIBLE;
    }
    long late = lateMicros(state, cost, nowMicros);
    return late <= 0 ? Decision.ALLOWED : new Decision.Denied(late);
  }

  @Override
  public long[] charge(long[] state, long cost, long nowMicros) {
    long r = fullR(state, nowMicros) + spanR(cost);
    long q = fullQ(state, nowMicros) + spanQ(cost) + r / p;
    state[Q] = q;
    state[R] = r % p;
    state[PERMITS] = p;
    state[WINDOW] = w;
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

  @Override
  public boolean rebase(long[] state, long nowMicros) {
    if (state[WINDOW] == 0 || (state[PERMITS] == p && state[WINDOW] == w)) {
      return false;
    }
    long ahead = state[Q] - nowMicros;
    long used =
        ahead < 0
            ? 0
            : Math.min(burst, Ratio.ceilSaturated(ahead, state[PERMITS], state[R], state[WINDOW]));
    state[Q] = nowMicros + spanQ(used);
    state[R] = spanR(used);
    state[PERMITS] = p;
    state[WINDOW] = w;
    return true;
  }

  /** By how much the cost would overfill the burst; it fits when this is not positive. */
  private long lateMicros(long[] state, long cost, long nowMicros) {
    long r = fullR(state, nowMicros) + spanR(cost);
    long q = fullQ(state, nowMicros) + spanQ(cost) + r / p;
    return q - (nowMicros + capacityQ) + (r % p > capacityR ? 1 : 0);
  }

  /*
   * The instant at which the bucket is full, as seen from now: never in the past, and never further
   * ahead than an empty bucket is (which it can only seem to be when the clock has stepped back).
   */
  private long fullQ(long[] state, long nowMicros) {
    if (state[Q] < nowMicros) {
      return nowMicros;
    }
    return isAheadOfEmpty(state, nowMicros) ? nowMicros + capacityQ : state[Q];
  }

  private long fullR(long[] state, long nowMicros) {
    if (state[Q] < nowMicros) {
      return 0;
    }
    return isAheadOfEmpty(state, nowMicros) ? capacityR : state[R];
  }

  private boolean isAheadOfEmpty(long[] state, long nowMicros) {
    long ahead = state[Q] - nowMicros;
    return ahead > capacityQ || (ahead == capacityQ && state[R] > capacityR);
  }

  /** The largest n with span(n) ≤ q + r/P: an estimate in doubles, then corrected. */
  private long permitsWithin(long q, long r) {
    long wholeQ = r < 0 ? q - 1 : q;
    long wholeR = r < 0 ? r + p : r;
    long n = Math.min(burst, (long) ((double) wholeQ * p / w));
    while (n > 0 && isLonger(n, wholeQ, wholeR)) {
      n--;
    }
    while (n < burst && !isLonger(n + 1, wholeQ, wholeR)) {
      n++;
    }
    return n;
  }

  private boolean isLonger(long n, long q, long r) {
    long spanQ = spanQ(n);
    return spanQ > q || (spanQ == q && spanR(n) > r);
  }

  private long spanQ(long n) {
    return n * a + n * b / p;
  }

  private long spanR(long n) {
    return n * b % p;
  }
}
