package dev.comporta.client.pacing;

/** How fast a client sends that shares a quota. Micros, and requests per micro. */
interface SharedPace {

  /** The pace that suits how the server counts. */
  static SharedPace of(WindowState state, long nowMicros) {
    return state.isLog() && !state.isShort()
        ? new HeldPace(state, nowMicros)
        : new RatePace(state, nowMicros);
  }

  /** Requests that are missing before the next one may leave, 0 or less when none is. */
  double missing(long now, Traffic traffic);

  /** Whether the share of a window was sent within one. */
  boolean isShareSent(long now);

  /** How fast the next requests leave, above 0. */
  double rate(long now, Traffic traffic);

  /** The share of the quota as a rate, above 0. */
  double share();

  /** Begins when a client that was alone and sent at that rate no longer is. */
  void begin(double sentRate);

  /** Takes into account what the newest answer says is left. */
  void step(long now, Traffic traffic);

  /** Takes a refusal into account, once for all that was sent before the last time. */
  void refused(Ticket ticket, long now);
}
