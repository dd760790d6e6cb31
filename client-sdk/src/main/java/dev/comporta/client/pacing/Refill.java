package dev.comporta.client.pacing;

/**
 * What the quota does between two answers: how fast it refills by itself, how fast it shrinks, and
 * how much of its change is unexplained. Times are micros, rates requests per micro.
 */
final class Refill {

  private final long limit;
  private final double averagingMicros;
  private final WindowEdges edges;
  private boolean hasSample;
  private long sampleSent;
  private long sampleNumber;
  private double sampleRemaining;
  private double unexplained;
  private int samples;
  private double rate;
  private double decline;
  private double variance = 1;

  Refill(long limit, double windowMicros, WindowEdges edges) {
    this.limit = limit;
    this.edges = edges;
    this.averagingMicros = 3 * Math.min(3_000_000, Math.max(300_000, windowMicros / 20));
  }

  /**
   * Takes the state that a request found.
   *
   * @return requests of others that the change cannot be explained without, 0 or more
   */
  double take(Ticket ticket, double remaining, Traffic traffic) {
    double roundTripMicros = traffic.roundTripMicros();
    if (!hasSample) {
      keep(ticket, remaining);
      unexplained = -ticket.ahead();
      return 0;
    }
    double span = ticket.sentMicros() - sampleSent;
    if (span < 0.7 * roundTripMicros) {
      return 0;
    }
    double own = ticket.number() - sampleNumber;
    double change = remaining - sampleRemaining;
    double grown = change + own;
    boolean isWindowEdge = grown - Math.max(rate, 0) * span > Math.max(5, 0.2 * limit);
    if (isWindowEdge && change > 0.1 * limit) {
      edges.cameBack(sampleSent, ticket.sentMicros(), 2 * traffic.jitterMicros());
    } else {
      average(span, change, grown, roundTripMicros);
    }
    keep(ticket, remaining);
    // Others make the sum grow, and so do own requests that overtake each other: by as many as the
    // one at its beginning may have overtaken, and as may have overtaken the one at its end.
    unexplained = Math.max(-ticket.ahead(), unexplained - grown - 0.25 * own - 0.5);
    return Math.max(0, unexplained - 4 - traffic.sentAfter(ticket.number()));
  }

  /** Requests per micro that come back by themselves, as far as it was seen. */
  double rate() {
    return rate;
  }

  /** Requests per micro by which the remainder shrinks. */
  double decline() {
    return decline;
  }

  /** The standard deviation of the unexplained change within one round trip, in requests. */
  double deviation() {
    return Math.sqrt(variance);
  }

  private void average(double span, double change, double grown, double roundTripMicros) {
    double gain = 1 - Math.exp(-span / averagingMicros);
    rate += gain * (grown / span - rate);
    decline += gain * (-change / span - decline);
    samples++;
    if (samples > 3) {
      double error = grown - rate * span;
      double scaled = error * error * Math.min(1, roundTripMicros / span);
      double slowGain = 1 - Math.exp(-span / (3 * averagingMicros));
      variance += slowGain * (Math.min(scaled, 0.05 * limit * limit) - variance);
    }
  }

  private void keep(Ticket ticket, double remaining) {
    hasSample = true;
    sampleSent = ticket.sentMicros();
    sampleNumber = ticket.number();
    sampleRemaining = remaining;
  }
}
