package dev.comporta.client.pacing;

/** How fast a client sends that has a quota for itself. */
final class AlonePace {

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
   * A fixed window gives 100 back at its edge and nothing before. There, even requests are safe,
   * behind an edge the count starts anew, and what goes at once is what even requests would leave
   * over at the next edge.
   *
   * remaining/reset is never used as a rate: servers that state when the quota is whole again
   * would halve it.
   */

  private final WindowState state;
  private final Pacing pacing;

  AlonePace(WindowState state, Pacing pacing) {
    this.state = state;
    this.pacing = pacing;
  }

  /** Requests that are missing before the next one may leave, 0 or less when none is. */
  double missing(long now, Traffic traffic) {
    double expected = expected(now, traffic);
    if (state.isFixed()) {
      return 1 - expected;
    }
    double room = 1 + Math.min(state.limit() / 8.0, state.fullRate() * traffic.jitterMicros());
    double certain = state.certain(traffic);
    double left = state.isRefilling() ? expected : Math.min(expected, certain);
    return (certain >= 1 ? 1 : room) - left;
  }

  /** Whether a log still counts as many own requests as it may. */
  boolean isLogFull(long now, Traffic traffic) {
    double from = now - state.windowMicros() - 2 * traffic.jitterMicros();
    return state.isLog() && state.own().since(from) >= state.limit() - 0.5;
  }

  /** Requests per micro, above 0. */
  double rate(long now, Traffic traffic) {
    if (pacing == Pacing.SPREAD) {
      return evenRate(traffic);
    }
    return isPlenty(now, traffic)
        ? Math.max(8 * state.fullRate(), 8 / traffic.roundTripMicros())
        : evenRate(traffic);
  }

  private boolean isPlenty(long now, Traffic traffic) {
    if (state.isFixed()) {
      double untilEdge = Math.max(state.edges().after((double) now) - now, 0);
      double left = expected(now, traffic) - traffic.inFlight();
      return state.edges().isKnown() && left > state.fullRate() * untilEdge + 2;
    }
    boolean isRecovered = now - state.exhaustedAt() > 2 * state.windowMicros();
    return isRecovered && state.certain(traffic) >= 1 + reserve(traffic);
  }

  private double expected(long now, Traffic traffic) {
    return state.isBehindEdge(now)
        ? state.limit() - 1 - state.ownSinceEdge(now, traffic)
        : state.expected(now, traffic);
  }

  private double evenRate(Traffic traffic) {
    long limit = state.limit();
    return (limit - Math.min(0.5, limit / 2.0))
        / (state.windowMicros() + 2 * traffic.jitterMicros());
  }

  /** What even requests leave of the quota: spending it too would leave them no room for jitter. */
  private double reserve(Traffic traffic) {
    return Math.min(
        Math.floor(state.limit() / 8.0), 1 + 2 * traffic.jitterMicros() * state.fullRate());
  }
}
