package dev.comporta.client.sim;

import java.time.Duration;
import java.util.Optional;

/**
 * Who wants to send how much, and for how long.
 *
 * @param clients independent clients on one quota
 * @param threads of each client
 * @param offeredPerSecond calls that the application makes, at random instants; empty when each
 *     thread always wants to send
 * @param consumer another user of the quota, whom nothing controls
 * @param warmUp time at the beginning that is not counted
 * @param length time in all
 */
public record Workload(
    int clients,
    int threads,
    Optional<Double> offeredPerSecond,
    Optional<Consumer> consumer,
    Duration warmUp,
    Duration length) {

  /**
   * Requests at random instants, whatever is answered. The rate is drawn anew after each span.
   *
   * @param leastPerSecond the lowest rate
   * @param mostPerSecond the highest rate
   * @param span how long a rate lasts
   */
  public record Consumer(double leastPerSecond, double mostPerSecond, Duration span) {}

  /** Clients of 16 threads that always want to send. */
  public static Workload saturating(int clients, Duration warmUp, Duration length) {
    return new Workload(clients, 16, Optional.empty(), Optional.empty(), warmUp, length);
  }

  /** The same beside another user of the quota. */
  public Workload beside(Consumer other) {
    return new Workload(clients, threads, offeredPerSecond, Optional.of(other), warmUp, length);
  }

  /** One client of 64 threads whose application makes that many calls. */
  public static Workload offering(double perSecond, Duration warmUp, Duration length) {
    return new Workload(1, 64, Optional.of(perSecond), Optional.empty(), warmUp, length);
  }

  long warmUpMicros() {
    return warmUp.toNanos() / 1000;
  }

  long lengthMicros() {
    return length.toNanos() / 1000;
  }
}
