package dev.comporta.client.pacing;

/**
 * Finds out whether the quota comes back at once, at the edges of fixed windows, and when it next
 * will. An edge is the time of sending from which requests land behind it, known to lie between the
 * sending of two requests of which the later found much more; two such intervals that are whole
 * windows apart make a fixed window. Times are micros.
 */
final class WindowEdges {

  private final double windowMicros;
  private double earliest;
  private double latest;
  private int seen;

  WindowEdges(double windowMicros) {
    this.windowMicros = windowMicros;
  }

  /** Takes that the quota came back between the sending of two requests. */
  void cameBack(long earlierSent, long laterSent, double jitterMicros) {
    if (laterSent - earlierSent > windowMicros / 2) {
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

  boolean isFixed() {
    return seen >= 2;
  }

  /** The last edge at or before that instant. */
  double before(long now) {
    return latest + Math.floor(((double) now - latest) / windowMicros) * windowMicros;
  }

  /** The first edge after that instant. */
  double after(long now) {
    return before(now) + windowMicros;
  }
}
