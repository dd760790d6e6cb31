package dev.comporta.client.pacing;

/**
 * How fast a client sends that shares a quota: at its {@link Share}, a little faster or slower as
 * more or less is left than should be. On a fixed window, what is left is taken as of the next
 * edge.
 */
final class SharedPace {

  private static final double LONGEST_QUICK_MICROS = 2_000_000;
  private static final double NEEDED = 0.5;
  private static final double GAIN = 0.3;
  private static final double SLOWEST = 0.05;
  private static final double FASTEST = 1.5;

  private final WindowState state;
  private final Share share;

  SharedPace(WindowState state, Share share) {
    this.state = state;
    this.share = share;
  }

  /** Requests that are missing before the next one may leave, 0 or less when none is. */
  double missing(long now, Traffic traffic) {
    return NEEDED - state.expected(now, traffic);
  }

  /** Whether the share of a window was sent within one: a burst would come back as a burst. */
  boolean isShareSent(long now) {
    double window = state.windowMicros();
    return state.own().since(now - window) >= Math.max(1, Math.ceil(share.rate() * window));
  }

  /** Requests per micro, above 0. */
  double rate(long now, Traffic traffic) {
    double excess = slack(now, traffic) - share.setPoint();
    double scale = 1 + GAIN * excess / (state.fullRate() * horizon(now, traffic));
    return Math.max(1e-12, share.rate() * Math.min(FASTEST, Math.max(SLOWEST, scale)));
  }

  /** What will be left at the horizon if the quota goes on shrinking as it does. */
  double slack(long now, Traffic traffic) {
    return state.expected(now, traffic) - state.refill().decline() * horizon(now, traffic);
  }

  private double horizon(long now, Traffic traffic) {
    if (state.isFixed() && state.edges().isKnown()) {
      return Math.max(traffic.roundTripMicros(), state.edges().after((double) now) - now);
    }
    boolean isQuick = state.isLog() && state.windowMicros() < LONGEST_QUICK_MICROS;
    double part = isQuick && share.part() > 0.2 ? 0.12 : 0.2;
    return Math.max(traffic.roundTripMicros(), part * state.windowMicros());
  }
}
