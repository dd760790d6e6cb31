package dev.comporta.client.pacing;

import java.util.TreeSet;

/** The requests of one bucket by order of sending, and how long their answers take. */
final class Traffic {

  private static final double FIRST_GUESS_MICROS = 80_000;
  private static final double MEAN_GAIN = 0.1;
  private static final double VARIANCE_GAIN = 0.03;
  private static final double FIRST_VARIANCE = 20_000.0 * 20_000.0;

  /** Of times that vary as a bell curve does, 1 in 100 is longer than the mean by more. */
  private static final double LATE_DEVIATIONS = 2.4;

  /** The shortest time grows by this part of each other, so that it follows a longer way. */
  private static final double FORGOTTEN = 1e-3;

  private final TreeSet<Long> unanswered = new TreeSet<>();
  private long lastNumber;
  private double meanMicros = FIRST_GUESS_MICROS;
  private double variance = FIRST_VARIANCE;
  private double shortest = Double.MAX_VALUE;

  Ticket send(long nowMicros) {
    Ticket ticket = new Ticket(++lastNumber, nowMicros, unanswered.size());
    unanswered.add(ticket.number());
    return ticket;
  }

  void answered(Ticket ticket, long nowMicros) {
    if (!unanswered.remove(ticket.number())) {
      return;
    }
    double took = Math.max(0, nowMicros - ticket.sentMicros());
    shortest = Math.min(took, shortest == Double.MAX_VALUE ? took : shortest + FORGOTTEN * took);
    double error = took - meanMicros;
    variance += VARIANCE_GAIN * (error * error - variance);
    meanMicros += MEAN_GAIN * error;
  }

  void lost(Ticket ticket) {
    unanswered.remove(ticket.number());
  }

  int inFlight() {
    return unanswered.size();
  }

  long sentAfter(long number) {
    return lastNumber - number;
  }

  int unansweredBefore(long number) {
    return unanswered.headSet(number).size();
  }

  double roundTripMicros() {
    return meanMicros;
  }

  /** The shortest that an answer took, 0 before there was any. */
  double shortestMicros() {
    return shortest == Double.MAX_VALUE ? 0 : shortest;
  }

  double jitterMicros() {
    return Math.sqrt(variance);
  }

  /** How long before an edge a request may leave and yet be counted behind it. */
  double lateMicros() {
    return LATE_DEVIATIONS * jitterMicros();
  }
}
