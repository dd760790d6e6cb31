package dev.comporta.client.pacing;

import java.util.Optional;

/** What a server that counts in fixed windows has counted in the last two, beside own requests. */
final class CountedWindows {

  /*
   * How this works, and why.
   *
   * Whether a request that left just before an edge is counted before it or behind is decided by
   * its way, which nobody here sees. Its answer tells: when the window ends that has counted it,
   * and how many that window has counted with it. Where own requests are all that there are, the
   * highest such number is the number of own answers that tell the window, however long the ways
   * are. What is missing was sent by others, or its answer is not here yet: while it is not, it
   * counts as ours. So nothing is taken for somebody else's before that is certain, unless a
   * way is much longer than usual, and one way behind the end of a window the number is exact.
   *
   * Of 100 that a window of a second counts, 80 come from here, on ways of 5 to 300 ms. In the 0.3 s
   * before it 24 left from here, more than the 20 of others, if all of them were counted behind the
   * edge. Their answers tell that half of them were not.
   *
   * A window ends no earlier than a reset after its request left, and no later than a reset after
   * the answer came. That is one window alone while a round trip and what is open of its end are
   * shorter than a window; beyond that, the nearest is taken.
   */

  /** Clocks drift by less than that. */
  private static final double DRIFT = 1e-3;

  /** Resets are told in whole milliseconds, rounded up. */
  private static final double ROUNDING_MICROS = 1_000;

  private final WindowState state;
  private final SlidingCount told;
  private Optional<CountedWindow> earlier = Optional.empty();
  private Optional<CountedWindow> latest = Optional.empty();

  CountedWindows(WindowState state) {
    this.state = state;
    this.told = new SlidingCount(state.windowMicros());
  }

  /** Takes an answer, in any order. */
  void take(Ticket ticket, double remaining, boolean isRefused, double resetMicros, long now) {
    told.add(ticket.sentMicros());
    double reset = Math.min(resetMicros, state.windowMicros());
    double from = ticket.sentMicros() + reset - ROUNDING_MICROS;
    double to = now + reset;
    window(from, to)
        .ifPresent(each -> each.take(from, to, state.limit() - remaining, !isRefused, now));
  }

  /** Takes how many of others the first window had counted before we came, who may have left. */
  void begin(double countedBefore) {
    latest.ifPresent(first -> first.begin(countedBefore));
  }

  /**
   * The requests of others that the last two windows cannot have counted less of, in that which has
   * more; below 0 where more was sent than is known to be counted.
   */
  double others(double lateMicros) {
    double ofLatest = latest.map(each -> others(each, lateMicros)).orElse(0.0);
    return earlier.map(each -> Math.max(ofLatest, others(each, lateMicros))).orElse(ofLatest);
  }

  private double others(CountedWindow window, double lateMicros) {
    double slot = told.slotMicros();
    double begin = window.earliestEnd() - state.windowMicros() - lateMicros;
    // A slot is counted in parts; all of it is taken for ours. What is forgotten is nobody's.
    double from = Math.max(begin - slot, state.own().remembersFrom());
    double unknown = unknownSince(from) - unknownSince(window.closed() + slot);
    return window.notFromHere() - Math.max(0, unknown);
  }

  /** Requests that left after that, and no answer has told which window has counted them. */
  private double unknownSince(double fromMicros) {
    return state.own().since(fromMicros) - told.since(fromMicros);
  }

  private Optional<CountedWindow> window(double from, double to) {
    double length = state.windowMicros();
    double windows = latest.map(each -> each.windowsUntil(from, to, length)).orElse(0.0);
    if (latest.isEmpty()) {
      latest = Optional.of(new CountedWindow(from, to));
    }
    if (windows > 0) {
      earlier = windows == 1 ? latest : Optional.empty();
      latest = latest.map(each -> each.later(windows * length, DRIFT));
    }
    if (windows >= 0) {
      return latest;
    }
    return earlier.filter(each -> each.windowsUntil(from, to, length) == 0);
  }
}
