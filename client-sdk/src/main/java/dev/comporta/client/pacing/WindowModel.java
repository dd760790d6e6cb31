package dev.comporta.client.pacing;

import dev.comporta.client.header.Window;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What is known of one window of the server, and when it lets the next request leave. */
final class WindowModel {

  /*
   * How this works, and why.
   *
   * The newest remainder by order of sending, less every own request that may have reached the
   * server after it, is certain. While that is 1 or more, requests leave at once. With 100 per
   * second and answers of 70 ms that alone would stop at 90 %, as what came back since is not in it.
   * So below that, requests leave evenly, a little slower than the limit: (q - 0.5) / (w + 2
   * deviations of the round trip), as answers jittered by J bunch the requests of w + J into w.
   * After an empty quota nothing leaves at once for two windows: 100 in 0.5 s, then a hold of a
   * whole second, would come again and again.
   *
   * A fixed window gives 100 back at its edge and nothing before. It shows by such jumps whole
   * windows apart (WindowEdges). There, even requests are safe, behind an edge the count starts
   * anew, and what goes at once is what even requests would leave over at the next edge.
   *
   * Two clients that both do this send twice the limit. A client is alone when what is gone from
   * the quota is explained by its own requests, or was gone already when it came: who drained the
   * quota before may have left. When it is not alone it has a share, a rate that
   * grows by 1.5 % of the limit per second while more than a small set point is left, and shrinks
   * by 30 % per second while less is. On a fixed window, what is left is taken as of the next edge.
   *
   * remaining/reset is never used as a rate: servers that state when the quota is whole again
   * would halve it.
   */

  private static final double SET_POINT_DEVIATIONS = 2;
  private static final double LEAST_SET_POINT = 2;
  private static final double OTHERS_TOLERATED = 4;
  private static final double OTHERS_TOLERATED_SHARE = 0.05;
  private static final double FAST_REFILL = 1.6;
  private static final double LONGEST_STEP_MICROS = 250_000;
  private static final double MICROS_PER_SECOND = 1_000_000;

  private final RandomGenerator random;
  private final long limit;
  private final boolean isLengthTold;
  private double windowMicros;
  private double fullRate;
  private SlidingCount own;
  private Refill refill;
  private WindowEdges edges;

  private double remaining;
  private double found;
  private long newest;
  private long newestSent;
  private long newestReceived;
  private double resetMicros;
  private long exhaustedAt = Long.MIN_VALUE / 2;

  private int windowsInReset = 1;
  private double comesBack;

  private boolean isAlone = true;
  private double goneBefore;
  private long cameAt;
  private double others;
  private double othersPeak;
  private long othersAt;
  private long burstAt = Long.MIN_VALUE / 2;
  private double share;
  private double setPoint = LEAST_SET_POINT + 1;
  private long pacedAt;
  private long steppedAt;
  private long slowedAt = Long.MIN_VALUE / 2;
  private double probeMicros = 100_000;

  WindowModel(Window window, long limit, long nowMicros, RandomGenerator random) {
    this.random = random;
    this.limit = limit;
    this.isLengthTold = window.length().isPresent();
    Duration length = window.length().or(window::resetAfter).orElse(Duration.ofSeconds(1));
    learnLength(Math.max(MICROS_PER_SECOND, micros(length)));
    this.pacedAt = nowMicros;
    this.steppedAt = nowMicros;
    this.othersAt = nowMicros;
    this.share = fullRate / 8;
  }

  /** The number of the newest request whose answer told this window. */
  long newest() {
    return newest;
  }

  boolean isOf(Window window, long windowLimit) {
    boolean isSameLength =
        !isLengthTold || window.length().isEmpty() || micros(window.length().get()) == windowMicros;
    return limit == windowLimit && isSameLength;
  }

  /** The instant, not before now, from which the next request may leave as far as it is known. */
  long earliest(long now, Traffic traffic) {
    if (isAlone) {
      return earliestAlone(now, traffic);
    }
    double expected = expected(now, traffic);
    if (expected < 1.5) {
      return afterHold(now, traffic, 1.5 - expected);
    }
    double inWindow = own.since(now - windowMicros);
    if (inWindow >= Math.max(1, Math.ceil(share * windowMicros))) {
      return now + (long) own.slotMicros();
    }
    return next(now, sharedRate(now, traffic));
  }

  /** The same for a window whose state the last answer did not tell: own requests are counted. */
  long earliestUntold(long now) {
    boolean isFull = own.since(now - windowMicros - own.slotMicros()) >= limit;
    return isLengthTold && isFull ? now + (long) own.slotMicros() : now;
  }

  void sent(long now, Traffic traffic) {
    double rate = isAlone ? rateAlone(now, traffic) : sharedRate(now, traffic);
    double credit = isAlone ? 30_000 : Math.min(10_000, 0.5 / rate);
    pacedAt = (long) Math.max(now - credit, pacedAt + 1 / rate);
    own.add(now);
    if (own.since(now - windowMicros / 4) > 0.35 * limit) {
      burstAt = now;
    }
  }

  void answered(Ticket ticket, Window window, boolean isRefused, long now, Traffic traffic) {
    double told = isRefused ? 0 : window.remaining().orElse(0);
    if (ticket.number() > newest) {
      learnReset(window);
      double span = ticket.sentMicros() - newestSent;
      double unexplained = refill.take(ticket, told, traffic);
      doubtLength(newest == 0 ? 0 : Math.max(0, span));
      if (newest == 0) {
        goneBefore = Math.max(0, limit - told - 1);
        cameAt = now;
      }
      newest = ticket.number();
      newestSent = ticket.sentMicros();
      newestReceived = now;
      remaining = told;
      found = told;
      exhaustedAt = told < 1 ? now : exhaustedAt;
      setPoint =
          Math.min(
              Math.max(LEAST_SET_POINT, 0.25 * limit),
              Math.max(LEAST_SET_POINT, SET_POINT_DEVIATIONS * refill.deviation() + 1));
      noticeOthers(ticket, unexplained, now, traffic);
    } else if (told < found) {
      // It left earlier and found less, so it came later: the newest remainder does not count it.
      remaining -= 1;
    }
    step(now, traffic);
    if (isRefused) {
      refused(ticket, now);
    }
  }

  private void refused(Ticket ticket, long now) {
    remaining = Math.min(remaining, 0);
    if (ticket.sentMicros() > slowedAt) {
      share = Math.max(0.005 * fullRate, share * 0.8);
      slowedAt = now;
    }
  }

  private long earliestAlone(long now, Traffic traffic) {
    double expected = expected(now, traffic);
    if (edges.isFixed()) {
      return expected < 1
          ? afterHold(now, traffic, 1 - expected)
          : next(now, rateAlone(now, traffic));
    }
    double room = 1 + Math.min(limit / 8.0, fullRate * traffic.jitterMicros());
    double certain = certain(traffic);
    double left = isRefilling() ? expected : Math.min(expected, certain);
    double needed = certain >= 1 ? 1 : room;
    if (left < needed) {
      return afterHold(now, traffic, needed - left);
    }
    return next(now, rateAlone(now, traffic));
  }

  private long next(long now, double rate) {
    return Math.max(now, (long) Math.ceil(pacedAt + 1 / rate));
  }

  private double rateAlone(long now, Traffic traffic) {
    if (edges.isFixed()) {
      double untilEdge = Math.max(edges.after(now) - now, 0);
      boolean isPlenty = expected(now, traffic) - traffic.inFlight() > fullRate * untilEdge + 2;
      return isPlenty ? burstRate(traffic) : evenRate(traffic);
    }
    boolean isRecovered = now - exhaustedAt > 2 * windowMicros;
    if (isRecovered && certain(traffic) >= 1 + reserve(traffic)) {
      return burstRate(traffic);
    }
    return evenRate(traffic);
  }

  private double burstRate(Traffic traffic) {
    return Math.max(8 * fullRate, 8 / traffic.roundTripMicros());
  }

  private double evenRate(Traffic traffic) {
    return (limit - Math.min(0.5, limit / 2.0)) / (windowMicros + 2 * traffic.jitterMicros());
  }

  /** What even requests leave of the quota: spending it too would leave them no room for jitter. */
  private double reserve(Traffic traffic) {
    return Math.min(Math.floor(limit / 8.0), 1 + 2 * traffic.jitterMicros() * fullRate);
  }

  private double certain(Traffic traffic) {
    return remaining - traffic.sentAfter(newest) - traffic.unansweredBefore(newest);
  }

  private double expected(long now, Traffic traffic) {
    if (edges.isFixed()) {
      double edge = edges.before(now);
      if (isAlone && newestSent < edge) {
        return limit - 1 - own.since(edge);
      }
    }
    double age =
        Math.min((double) (now - newestSent), Math.max(traffic.roundTripMicros(), 2 / fullRate));
    double back =
        Math.max(-fullRate, Math.min(refill.rate(), edges.isFixed() ? 0 : fastest())) * age;
    return remaining - traffic.sentAfter(newest) + back;
  }

  /** Whether permits come back by themselves, clearly: a little may be answers that overtook. */
  private boolean isRefilling() {
    return refill.rate() > 0.1 * fullRate;
  }

  /** Nothing is left: until when to wait for an answer in flight, for refill, or to ask anew. */
  private long afterHold(long now, Traffic traffic, double missing) {
    if (traffic.inFlight() > 0) {
      return now + (long) Math.max(1_000, traffic.roundTripMicros());
    }
    if (edges.isFixed()) {
      double stagger =
          isAlone ? 0 : 35_000 + random.nextDouble() * Math.min(windowMicros / 4, 0.5 / share);
      return (long) Math.ceil(Math.max(now + 1.0, edges.after(newestSent) + stagger));
    }
    double at =
        isRefilling()
            ? Math.min(now + missing / refill.rate(), newestReceived + probeMicros)
            : newestReceived + Math.max(untilNext(), probeMicros);
    return at <= now ? now : (long) Math.ceil(at);
  }

  /**
   * How long nothing is to be expected where nothing refills. With nothing found, the reset tells.
   * With a few found that are spent since, it tells when all are back, the next ones sooner.
   */
  private double untilNext() {
    if (found < 1) {
      return untilReset();
    }
    return remaining < 1 ? Math.min(resetMicros, windowMicros) / 2 : 0;
  }

  /** Whole seconds are rounded up, which matters for one of them: half of it is the mean. */
  private double untilReset() {
    return resetMicros == MICROS_PER_SECOND ? resetMicros / 2 : resetMicros;
  }

  private double sharedRate(long now, Traffic traffic) {
    double horizon = horizon(now, traffic);
    double scale = 1 + 0.3 * (slack(now, traffic) - setPoint) / (fullRate * horizon);
    return Math.max(1e-12, share * Math.min(1.5, Math.max(0.05, scale)));
  }

  private double slack(long now, Traffic traffic) {
    return expected(now, traffic) - refill.decline() * horizon(now, traffic);
  }

  private double horizon(long now, Traffic traffic) {
    if (edges.isFixed()) {
      return Math.max(traffic.roundTripMicros(), edges.after(now) - now);
    }
    return Math.max(traffic.roundTripMicros(), 0.2 * windowMicros);
  }

  private void step(long now, Traffic traffic) {
    double span = Math.min((double) (now - steppedAt), LONGEST_STEP_MICROS);
    steppedAt = now;
    double excess = slack(now, traffic) - setPoint;
    double part = excess / setPoint;
    double seconds = span / MICROS_PER_SECOND;
    if (part >= 0) {
      double additive = 0.015 * fullRate * Math.min(part, 1) * seconds;
      double shareLeft = excess / limit;
      double proportional =
          share * (0.25 * shareLeft + 2 * shareLeft * shareLeft) / windowMicros * span;
      share = Math.min(fastest(), share + additive + proportional);
    } else {
      share = Math.max(0.005 * fullRate, share * (1 - 0.3 * seconds * Math.min(-part, 2)));
    }
    double apart = Math.min(1 / share, MICROS_PER_SECOND);
    probeMicros = Math.max(100_000, apart) * (0.75 + 0.5 * random.nextDouble());
  }

  private void noticeOthers(Ticket ticket, double unexplained, long now, Traffic traffic) {
    double later = traffic.sentAfter(ticket.number());
    double mine = own.since(ticket.sentMicros() - windowMicros) - later;
    double ofTwoWindows = own.since(ticket.sentMicros() - 2 * windowMicros) - later;
    double tolerated = Math.max(OTHERS_TOLERATED, OTHERS_TOLERATED_SHARE * limit);
    boolean isUneven =
        now - burstAt < 2 * windowMicros || ofTwoWindows - mine > 1.25 * mine + tolerated;
    // A counter spreads a window's requests evenly, so it remembers a burst or a pause differently.
    double explained = isUneven ? ofTwoWindows : mine;
    double gone = isLengthTold ? limit - remaining - explained - stillGone(now) : 0;
    double span = Math.min((double) (now - othersAt), 500_000);
    othersAt = now;
    double settle = Math.min(Math.max(0.1 * windowMicros, 100_000), 2_000_000);
    others += (1 - Math.exp(-span / settle)) * (gone - others);
    double faded = othersPeak - Math.abs(othersPeak) * span / (1.5 * windowMicros);
    othersPeak = Math.max(others, faded);
    if (unexplained > 0) {
      othersPeak = Math.max(othersPeak, tolerated + unexplained);
    }
    boolean wasAlone = isAlone;
    isAlone = othersPeak < (isAlone ? tolerated : tolerated / 2);
    if (wasAlone) {
      share = Math.min(fastest(), Math.max(0.05 * fullRate, mine / windowMicros));
    }
  }

  /** What others spent before the first answer: it counts for a window, then less and less. */
  private double stillGone(long now) {
    double passed = (now - cameAt) / windowMicros;
    return goneBefore * Math.max(0, Math.min(1, 2 - passed));
  }

  private void learnReset(Window window) {
    resetMicros = window.resetAfter().map(WindowModel::micros).orElse(0.0);
    if (!isLengthTold && resetMicros / windowsInReset > windowMicros) {
      learnLength(resetMicros / windowsInReset);
    }
  }

  /**
   * Where no length is told, it is taken for the longest reset. That is two windows where a counter
   * of the window before still weighs, which shows: the quota comes back twice as fast.
   */
  private void doubtLength(double span) {
    if (isLengthTold || windowsInReset > 1) {
      return;
    }
    comesBack += (1 - Math.exp(-span / windowMicros)) * (refill.rate() - comesBack);
    if (comesBack > FAST_REFILL * fullRate) {
      windowsInReset = 2;
      learnLength(windowMicros / 2);
    }
  }

  private double fastest() {
    return isLengthTold || windowsInReset > 1 ? fullRate : 2 * fullRate;
  }

  private void learnLength(double micros) {
    windowMicros = micros;
    fullRate = Math.max(1, limit) / micros;
    own = new SlidingCount(micros);
    edges = new WindowEdges(micros);
    refill = new Refill(limit, micros, edges);
  }

  private static double micros(Duration duration) {
    return duration.toNanos() / 1000.0;
  }
}
