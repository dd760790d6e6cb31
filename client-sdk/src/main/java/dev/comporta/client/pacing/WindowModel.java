package dev.comporta.client.pacing;

import dev.comporta.client.header.Window;
import java.util.random.RandomGenerator;

/** What is known of one window of the server, and when it lets the next request leave. */
final class WindowModel {

  private static final double ALONE_CREDIT_MICROS = 30_000;
  private static final double SHARED_CREDIT_MICROS = 10_000;
  private static final double SHORTEST_PROBE_MICROS = 100_000;
  private static final double LONGEST_PROBE_MICROS = 1_000_000;
  private static final long SHORTEST_HOLD_MICROS = 1_000;
  private static final double BEHIND_EDGE_MICROS = 35_000;

  private final RandomGenerator random;
  private final WindowState state;
  private final Company company;
  private final AlonePace alone;
  private final SharedPace shared;
  private long pacedAt;
  private boolean isHeld;
  private double staggerMicros;
  private double probeMicros = SHORTEST_PROBE_MICROS;

  WindowModel(Window window, long limit, Pacing pacing, long nowMicros, RandomGenerator random) {
    this.random = random;
    this.state = new WindowState(window, limit);
    this.company = new Company(state, nowMicros);
    this.alone = new AlonePace(state, pacing);
    this.shared = SharedPace.of(state, nowMicros);
    this.pacedAt = nowMicros;
  }

  /**
   * Knows the requests that were sent before an answer told this window: where the first answer is
   * slow, several leave without it, and they are not for somebody else's.
   *
   * @param sentMicros when that was sent whose answer tells it
   * @param requests how many, at least 1
   */
  void begin(long sentMicros, long requests) {
    for (long i = 0; i < Math.min(requests, state.limit()); i++) {
      state.own().add(sentMicros);
    }
  }

  double windowMicros() {
    return state.windowMicros();
  }

  /** Takes the place of the model of a limit that has changed. */
  void goOnFrom(WindowModel before) {
    state.goOnFrom(before.state);
  }

  /** The number of the newest request whose answer told this window. */
  long newest() {
    return state.newest();
  }

  boolean isOf(Window window, long limit) {
    return state.isOf(window, limit);
  }

  /** The instant, not before now, from which the next request may leave as far as it is known. */
  long earliest(long now, Traffic traffic) {
    company.look(now);
    long earliest = earliestAsKnown(now, traffic);
    boolean isLooking = company.isFirstLook() && state.remaining() >= 1;
    return isLooking ? Math.min(earliest, Math.max(now, company.newUntil())) : earliest;
  }

  private long earliestAsKnown(long now, Traffic traffic) {
    boolean isAlone = company.isAlone();
    double missing = isAlone ? alone.missing(now, traffic) : shared.missing(now, traffic);
    if (missing > 0) {
      isHeld = true;
      return afterHold(now, traffic, missing);
    }
    if (isHeld && !isAlone) {
      // All clients of the quota were held by the same state: they must not go on together.
      pacedAt = Math.max(pacedAt, now - (long) (random.nextDouble() / rate(now, traffic)));
    }
    isHeld = false;
    if (isAlone ? alone.isLogFull(now, traffic) : shared.isShareSent(now)) {
      return now + (long) Math.ceil(state.own().slotMicros());
    }
    return Math.max(now, (long) Math.ceil(pacedAt + 1 / rate(now, traffic)));
  }

  /** The same for a window whose state the last answer did not tell: own requests are counted. */
  long earliestUntold(long now) {
    SlidingCount own = state.own();
    boolean isFull = own.since(now - state.windowMicros() - own.slotMicros()) >= state.limit();
    return state.length().isTold() && isFull ? now + (long) Math.ceil(own.slotMicros()) : now;
  }

  void sent(long now, Traffic traffic) {
    double rate = rate(now, traffic);
    double credit =
        company.isAlone() ? ALONE_CREDIT_MICROS : Math.min(SHARED_CREDIT_MICROS, 0.5 / rate);
    pacedAt = Math.min(now, (long) Math.max(now - credit, pacedAt + 1 / rate));
    state.own().add(now);
    company.sent(now);
  }

  void answered(Ticket ticket, Window window, boolean isRefused, long now, Traffic traffic) {
    double told = isRefused ? 0 : window.remaining().orElse(0);
    boolean isNewest = ticket.number() > state.newest();
    double unexplained = 0;
    if (isNewest) {
      unexplained = state.take(ticket, told, window, now, traffic);
    } else {
      state.takeLate(told);
    }
    state.count(ticket, told, isRefused, window, now);
    if (isNewest) {
      boolean wasAlone = company.isAlone();
      company.notice(ticket, unexplained, now, traffic);
      if (wasAlone && !company.isAlone() && !company.isNew(now)) {
        shared.begin(
            state.own().since(ticket.sentMicros() - state.windowMicros()) / state.windowMicros());
      }
    }
    shared.step(now, traffic);
    double apart = Math.min(1 / shared.share(), LONGEST_PROBE_MICROS);
    probeMicros = Math.max(SHORTEST_PROBE_MICROS, apart) * (0.75 + 0.5 * random.nextDouble());
    staggerMicros = random.nextDouble() * Math.min(state.windowMicros() / 4, 0.5 / shared.share());
    if (isRefused) {
      state.takeRefusal();
      shared.refused(ticket, now);
    }
  }

  private double rate(long now, Traffic traffic) {
    return company.isAlone() ? alone.rate(now, traffic) : shared.rate(now, traffic);
  }

  /** Nothing is left: until when to wait for an answer in flight, for refill, or to ask anew. */
  private long afterHold(long now, Traffic traffic, double missing) {
    if (traffic.inFlight() > 0) {
      return now + (long) Math.max(1_000, traffic.roundTripMicros());
    }
    double at =
        state.isFixed() && state.edges().isKnown()
            ? afterEdge()
            : Math.max(afterRefill(now, missing), state.noneBefore(traffic));
    return at <= now ? now : Math.max(now + SHORTEST_HOLD_MICROS, (long) Math.ceil(at));
  }

  /** Clients of one quota do not all ask at once what a new window has. */
  private double afterEdge() {
    double edge = state.foundUntil();
    return company.isAlone() ? edge : edge + BEHIND_EDGE_MICROS + staggerMicros;
  }

  private double afterRefill(long now, double missing) {
    double probe = state.newestReceived() + probeMicros;
    return state.isRefilling()
        ? Math.min(now + missing / state.refill().rate(), probe)
        : Math.max(state.newestReceived() + state.untilNext(), probe);
  }

  @Override
  public String toString() {
    return "%s, %s".formatted(state, company.isAlone() ? "alone" : shared);
  }
}
