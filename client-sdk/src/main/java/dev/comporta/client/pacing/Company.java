package dev.comporta.client.pacing;

/**
 * Whether others use the same quota. A client is alone when what is gone from the quota is
 * explained by its own requests, or was gone already when it came: who drained the quota before may
 * have left. Two clients that both believe to be alone send twice the limit, so it takes longer to
 * believe it than to doubt it.
 */
final class Company {

  /*
   * How this works, and why.
   *
   * What is gone and was not sent from here was sent by others. But an own request that left just
   * before a window begins may have been counted in it, and on slow ways that are many. Of a fixed
   * window the answers tell which ones were: see CountedWindows. Of the others they do not, so all
   * that may have been counted late count as if they were.
   *
   * In a log that would hide a small client from a large one: of 75 a second on ways of 5 to 300 ms,
   * 20 may have been counted late. So who shares a log believes to be alone only when it holds what
   * was sent within one window. And who believes it goes by the mean over two windows, too: as many
   * own requests are late at the end of a log as at its beginning, so that is about 0 for who is
   * alone, without any allowance, and else what others have. Where a burst has ended between the two
   * they are not as many: most of the difference, which may be late, is allowed for.
   */

  private static final double LEAST_TOLERATED = 4;
  private static final double TOLERATED_SHARE = 0.05;
  private static final double MEAN_WINDOWS = 2;

  /**
   * Of those that may be late; with all of them, two clients on slow ways notice each other less.
   */
  private static final double LATE_SHARE = 0.75;

  /**
   * So long, and half a window at most, nobody is taken for alone whose first answer said that some
   * are gone.
   */
  private static final double LONGEST_FIRST_LOOK_MICROS = 1_000_000;

  private final WindowState state;
  private final RecentMean meanGone = new RecentMean();
  private boolean isAlone = true;
  private boolean hasAnswer;
  private boolean isFirstLook;
  private double lastTolerated = LEAST_TOLERATED;
  private double goneBefore;
  private long cameAt;
  private long burstAt = Long.MIN_VALUE / 2;
  private double others;
  private double othersPeak;
  private long noticedAt;

  Company(WindowState state, long nowMicros) {
    this.state = state;
    this.noticedAt = nowMicros;
  }

  boolean isAlone() {
    return isAlone;
  }

  /**
   * Looks at the newest state, right after it was taken.
   *
   * @param unexplained requests of others that its change cannot be explained without
   */
  void notice(Ticket ticket, double unexplained, long now, Traffic traffic) {
    if (!hasAnswer) {
      hasAnswer = true;
      goneBefore = Math.max(0, state.limit() - state.remaining() - sentBefore(ticket));
      state.counted().ifPresent(windows -> windows.begin(goneBefore));
      cameAt = now;
      isAlone = goneBefore < 1;
      isFirstLook = !isAlone;
      noticedAt = now;
      return;
    }
    double window = state.windowMicros();
    double tolerated = tolerated(traffic);
    double late = isAlone || !state.isLog() ? traffic.lateMicros() : 0;
    double gone = state.length().isTold() ? gone(ticket, traffic, late, now) : 0;
    double span = Math.min((double) (now - noticedAt), 500_000);
    noticedAt = now;
    double settle = Math.min(Math.max(0.1 * window, 100_000), 2_000_000);
    others += (1 - Math.exp(-span / settle)) * (gone - others);
    double faded = othersPeak - Math.abs(othersPeak) * span / (1.5 * window);
    othersPeak = Math.max(others, faded);
    if (unexplained > 0) {
      othersPeak = Math.max(othersPeak, tolerated + unexplained);
    }
    addToMean(ticket, traffic, span, now);
    boolean isMeanGone = meanGone.isAbove(tolerated / 2);
    if (isMeanGone && isAlone) {
      othersPeak = Math.max(othersPeak, tolerated);
    }
    lastTolerated = tolerated;
    isFirstLook = isFirstLook && isNew(now);
    isAlone = !isFirstLook && !isMeanGone && othersPeak < (isAlone ? tolerated : tolerated / 2);
  }

  /** Takes what others have in a log, on average not too few and not too many. */
  private void addToMean(Ticket ticket, Traffic traffic, double span, long now) {
    if (state.isLog() && state.length().isTold()) {
      double ofOthers = gone(ticket, traffic, 0, now) - lateOfABurst(ticket, traffic);
      meanGone.add(ofOthers, span, MEAN_WINDOWS * state.windowMicros());
    }
  }

  /** By how much more own requests may be late at the beginning of a log than at its end. */
  private double lateOfABurst(Ticket ticket, Traffic traffic) {
    SlidingCount own = state.own();
    double late = traffic.lateMicros();
    double end = ticket.sentMicros();
    double begin = end - state.windowMicros();
    double atBegin = own.since(begin - late) - own.since(begin);
    double atEnd = Math.max(0, own.since(end - late) - traffic.sentAfter(ticket.number()));
    return LATE_SHARE * Math.max(0, atBegin - atEnd);
  }

  /** Ends the first look when its time is over, though no other answer has come. */
  void look(long now) {
    if (isFirstLook && !isNew(now)) {
      isFirstLook = false;
      isAlone = othersPeak < lastTolerated / 2;
    }
  }

  /** Whether it only looks, because somebody has used the quota before. */
  boolean isFirstLook() {
    return isFirstLook;
  }

  /** When it has looked for long enough. */
  long newUntil() {
    return cameAt + (long) Math.min(state.windowMicros() / 2, LONGEST_FIRST_LOOK_MICROS);
  }

  /** Whether it came just now, so that what it sent so far says nothing about its share. */
  boolean isNew(long now) {
    return now < newUntil();
  }

  /** Takes that a request has left. */
  void sent(long now) {
    if (state.own().since(now - state.windowMicros() / 4) > 0.35 * state.limit()) {
      burstAt = now;
    }
  }

  /** What was sent from here; later requests may have overtaken that one. */
  private double sentBefore(Ticket ticket) {
    return Math.max(1, state.own().since(ticket.sentMicros() - state.windowMicros()));
  }

  /**
   * What is gone from the quota since we came and was not sent from here.
   *
   * @param late how long before an edge or the beginning of a log own requests may have left that
   *     count as if they were behind it
   */
  private double gone(Ticket ticket, Traffic traffic, double late, long now) {
    if (state.counted().isPresent()) {
      return state.counted().get().others(traffic.lateMicros());
    }
    double later = traffic.sentAfter(ticket.number());
    double sent = ticket.sentMicros();
    SlidingCount own = state.own();
    double window = state.windowMicros();
    double mine = own.since(sent - window) - later;
    if (state.isWeighted()) {
      double edge = state.edges().before(sent);
      double current = own.since(edge - late);
      double before = own.since(edge - window - late) - current;
      mine = current - later + before * (edge + window - sent) / window;
    } else if (state.isFixed()) {
      mine = own.since(state.foundUntil() - window - late) - later;
    } else if (state.isLog()) {
      mine = own.since(sent - window - late) - later;
    } else if (!state.isCountingTold()) {
      double ofTwoWindows = own.since(sent - 2 * window) - later;
      double uneven = 1.25 * mine + LEAST_TOLERATED + TOLERATED_SHARE * state.limit();
      // A counter spreads a window's requests evenly, so it remembers a burst or a pause otherwise.
      boolean isUneven = sent - burstAt < 2 * window || ofTwoWindows - mine > uneven;
      mine = isUneven ? ofTwoWindows : mine;
    }
    return state.limit() - state.remaining() - mine - stillGone(now);
  }

  private double tolerated(Traffic traffic) {
    double jitter = 2 * traffic.jitterMicros() * state.fullRate();
    double least = Math.max(LEAST_TOLERATED, TOLERATED_SHARE * state.limit());
    return state.isCountingTold() ? Math.min(least, LEAST_TOLERATED + jitter) : least;
  }

  /** What others spent before the first answer: it counts for a window, then less and less. */
  private double stillGone(long now) {
    double passed = (now - cameAt) / state.windowMicros();
    return goneBefore * Math.max(0, Math.min(1, 2 - passed));
  }
}
