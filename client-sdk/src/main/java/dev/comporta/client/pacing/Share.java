package dev.comporta.client.pacing;

/** The rate of a client that is not alone. */
final class Share {

  /*
   * How this works, and why.
   *
   * The share grows by a part of the limit per second while more than a small set point is left,
   * faster while much is left, and shrinks by 30 % of itself per second while less is. It grows by
   * 4 % where the window is short and how it counts is told, which leaves least to a user whom
   * nothing controls, else by 1.5 %. So those who
   * have more give more, and clients of one quota become equal. To be quicker at that, who has more
   * leaves more: the set point grows with the share, on a bucket most, as it loses nothing by it.
   *
   * A log of a second gives a burst back as a burst. Many clients that look at what is left on
   * average are then refused once a second, where little is left. So a small share goes by the least
   * that was left lately. A large one does not: beside a user whom nothing controls the least is
   * far below the average, and it would be starved.
   */

  private static final double SET_POINT_DEVIATIONS = 2;
  private static final double SET_POINT_DEVIATIONS_OF_LOG = 1.6;
  private static final double LEAST_SET_POINT = 2;
  private static final double LONGEST_STEP_MICROS = 250_000;
  private static final double MICROS_PER_SECOND = 1_000_000;
  private static final double LEAST_SHARE = 0.005;
  private static final double FIRST_SHARE = 0.125;
  private static final double AFTER_REFUSAL = 0.8;
  private static final double GROWTH_PER_SECOND = 0.015;
  private static final double QUICK_GROWTH_PER_SECOND = 0.04;
  private static final double GROWTH_OF_SMALL = 0.3;
  private static final double DECLINE_PER_SECOND = 0.3;

  /** Who was alone and is not any more begins with half of what it sent, others with the other. */
  private static final double OF_WHAT_WAS_SENT = 0.5;

  private final WindowState state;
  private double rate;
  private double setPoint = LEAST_SET_POINT + 1;
  private double lowest;
  private long steppedAt;
  private long slowedAt = Long.MIN_VALUE / 2;

  Share(WindowState state, long nowMicros) {
    this.state = state;
    this.rate = FIRST_SHARE * state.fullRate();
    this.steppedAt = nowMicros;
  }

  /** Requests per micro, above 0. */
  double rate() {
    return rate;
  }

  /** Requests per micro as a part of the limit, 0 to 1 or little more. */
  double part() {
    return rate / state.fullRate();
  }

  /** Begins when a client that was alone no longer is. */
  void begin(double sentRate) {
    rate =
        Math.min(
            state.fastestRate(), Math.max(0.05 * state.fullRate(), sentRate * OF_WHAT_WAS_SENT));
  }

  /** What should be left, so that what cannot be foreseen is not refused. */
  double setPoint() {
    return setPoint;
  }

  /**
   * Takes into account what is left.
   *
   * @param slack requests that will be left in a while
   */
  void step(double slack, long now) {
    double span = Math.min((double) (now - steppedAt), LONGEST_STEP_MICROS);
    steppedAt = now;
    double echo = echo();
    double memory = echo * MICROS_PER_SECOND;
    lowest = Math.min(slack, lowest + (slack - lowest) * (span >= memory ? 1 : span / memory));
    setPoint = deviation() * (1 - 0.2 * echo) * (1 + slope() * part());
    double excess = lowest - setPoint;
    double ratio = excess / setPoint;
    double seconds = span / MICROS_PER_SECOND;
    if (ratio < 0) {
      double decline = DECLINE_PER_SECOND * seconds * Math.min(-ratio, 2);
      rate = Math.max(least(), rate * (1 - decline));
      return;
    }
    double additive = growth() * state.fullRate() * Math.min(ratio, 1) * seconds;
    double left = excess / state.limit();
    double proportional = rate * (0.25 * left + 2 * left * left) / state.windowMicros() * span;
    rate = Math.min(state.fastestRate(), rate + additive + proportional);
  }

  /** Slows down, once for all that was sent before the last time. */
  void refused(Ticket ticket, long now) {
    if (ticket.sentMicros() > slowedAt) {
      rate = Math.max(least(), rate * AFTER_REFUSAL);
      slowedAt = now;
    }
  }

  /** How much more who has more leaves: a bucket loses nothing by it, a log shares worst. */
  private double slope() {
    if (state.isBucket()) {
      return 1.5;
    }
    return state.isLog() ? 0.7 : 0.3;
  }

  /** Part of the limit by which the share grows in a second. */
  private double growth() {
    if (!state.isCountingTold() || !state.isShort()) {
      return GROWTH_PER_SECOND;
    }
    double small = state.isLog() ? Math.min(1, Math.max(0, (0.22 - part()) / 0.08)) : 0;
    return QUICK_GROWTH_PER_SECOND * (1 - (1 - GROWTH_OF_SMALL) * small);
  }

  private double deviation() {
    double deviations = state.isLog() ? SET_POINT_DEVIATIONS_OF_LOG : SET_POINT_DEVIATIONS;
    double deviation = deviations * state.refill().deviation() + 1;
    double most = Math.max(LEAST_SET_POINT, 0.25 * state.limit());
    return Math.min(most, Math.max(LEAST_SET_POINT, deviation));
  }

  /** How much the least counts instead of the average, 0 to 1. */
  private double echo() {
    return state.isLog() ? Math.min(1, Math.max(0, 1.2 - 3 * part())) : 0;
  }

  private double least() {
    return LEAST_SHARE * state.fullRate();
  }
}
