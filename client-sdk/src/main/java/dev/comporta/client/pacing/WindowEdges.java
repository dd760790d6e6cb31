package dev.comporta.client.pacing;

/**
 * When the windows of a server begin: the times of sending from which requests land behind an edge.
 * They are told, by answers that say when the window ends. Or they are found out: where the quota
 * comes back at once between the sending of two requests, an edge lies; two such intervals that are
 * whole windows apart make a fixed window. Times are micros.
 */
final class WindowEdges {

  /** A clock that drifts by more than that in a window is no clock. */
  private static final double DRIFT = 1e-3;

  private final double windowMicros;
  private double earliest;
  private double latest;
  private int seen;
  private boolean isTold;

  WindowEdges(double windowMicros) {
    this.windowMicros = windowMicros;
  }

  /**
   * Takes that an answer told an edge. It tells it later than it is by its own way back, so the
   * earliest of them is nearest; of that, the shortest round trip is taken off: who sends then
   * lands behind the edge on the shortest way.
   */
  void told(double edgeMicros, double shortestTripMicros) {
    double edge = edgeMicros - shortestTripMicros;
    if (!isTold) {
      isTold = true;
      latest = edge;
      return;
    }
    double windows = Math.rint((edge - latest) / windowMicros);
    double expected = latest + windows * windowMicros + Math.max(0, windows) * DRIFT * windowMicros;
    latest = windows >= 0 ? Math.min(edge, expected) : latest;
  }

  /** Takes that the quota came back between the sending of two requests. */
  void cameBack(long earlierSent, long laterSent, double jitterMicros) {
    if (isTold || laterSent - earlierSent > windowMicros / 2) {
      return; // An edge always lies in there, whatever the server counts by.
    }
    double windows = Math.rint((laterSent - latest) / windowMicros);
    double from = Math.max((double) earlierSent, earliest + windows * windowMicros - jitterMicros);
    double to = Math.min((double) laterSent, latest + windows * windowMicros + jitterMicros);
    if (seen == 0 || from > to) {
      earliest = earlierSent;
      latest = laterSent;
      seen = 1;
      return;
    }
    earliest = from;
    latest = to;
    seen += windows >= 1 ? 1 : 0;
  }

  /** Whether the quota was seen to come back at edges. */
  boolean isFixed() {
    return seen >= 2;
  }

  boolean isKnown() {
    return isTold || isFixed();
  }

  /** The edge that is nearest to an instant. */
  double nearest(double micros) {
    return latest + Math.rint((micros - latest) / windowMicros) * windowMicros;
  }

  /** The last edge at or before that instant. */
  double before(double now) {
    return latest + Math.floor((now - latest) / windowMicros) * windowMicros;
  }

  /** The first edge after that instant. */
  double after(double now) {
    return before(now) + windowMicros;
  }
}
