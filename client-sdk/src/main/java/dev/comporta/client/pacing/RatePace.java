package dev.comporta.client.pacing;

/**
 * The pace of a client that goes by a rate: its {@link Share}, a little faster or slower as more or
 * less is left than should be. On a fixed window, what is left is taken as of the next edge.
 */
final class RatePace implements SharedPace {

  private static final double NEEDED = 0.5;

  /** So far ahead it looks, in windows; a large share of a log has no time for more. */
  private static final double LOOK = 0.2;

  private static final double QUICK_LOOK = 0.06;
  private static final double LARGE_SHARE = 0.2;
  private static final double GAIN = 0.3;
  private static final double SLOWEST = 0.05;
  private static final double FASTEST = 1.5;

  private final WindowState state;
  private final Share share;

  RatePace(WindowState state, long nowMicros) {
    this.state = state;
    this.share = new Share(state, nowMicros);
  }

  @Override
  public double missing(long now, Traffic traffic) {
    return NEEDED - state.expected(now, traffic);
  }

  /** A burst would come back as a burst. */
  @Override
  public boolean isShareSent(long now) {
    double window = state.windowMicros();
    return state.own().since(now - window) >= Math.max(1, Math.ceil(share.rate() * window));
  }

  @Override
  public double rate(long now, Traffic traffic) {
    double excess = slack(now, traffic) - share.setPoint();
    double scale = 1 + GAIN * excess / (state.fullRate() * horizon(now, traffic));
    return Math.max(1e-12, share.rate() * Math.min(FASTEST, Math.max(SLOWEST, scale)));
  }

  @Override
  public double share() {
    return share.rate();
  }

  @Override
  public void begin(double sentRate) {
    share.begin(sentRate);
  }

  @Override
  public void step(long now, Traffic traffic) {
    share.step(slack(now, traffic), now);
  }

  @Override
  public void refused(Ticket ticket, long now) {
    share.refused(ticket, now);
  }

  /** What will be left at the horizon if the quota goes on shrinking as it does. */
  private double slack(long now, Traffic traffic) {
    return state.expected(now, traffic) - state.refill().decline() * horizon(now, traffic);
  }

  private double horizon(long now, Traffic traffic) {
    if (state.isFixed() && state.edges().isKnown()) {
      return Math.max(traffic.roundTripMicros(), state.edges().after((double) now) - now);
    }
    double part = state.isLog() && share.part() > LARGE_SHARE ? QUICK_LOOK : LOOK;
    return Math.max(traffic.roundTripMicros(), part * state.windowMicros());
  }

  @Override
  public String toString() {
    return "shared at %.3g/s".formatted(share.rate() * 1_000_000);
  }
}
