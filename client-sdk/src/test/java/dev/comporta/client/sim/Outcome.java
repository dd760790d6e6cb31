package dev.comporta.client.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What came of a run, the warm-up left out.
 *
 * @param admitted requests of the clients that the server admitted
 * @param refused requests of the clients that it refused
 * @param failed calls that ended with a refusal
 * @param byClient calls that succeeded, of each client
 * @param byConsumer requests that the other user made
 * @param delays micros by which each call that succeeded was sent later than it was made
 */
public record Outcome(
    long admitted,
    long refused,
    long failed,
    List<Long> byClient,
    long byConsumer,
    List<Long> delays) {

  public Outcome {
    byClient = List.copyOf(byClient);
    delays = List.copyOf(delays);
  }

  /** Refused requests among all, in percent. */
  public double refusedPercent() {
    return 100.0 * refused / Math.max(1, admitted + refused);
  }

  /** Jain's index of fairness: 1 when all clients got the same, 1/n when one got all. */
  public double jain() {
    double sum = 0;
    double squares = 0;
    for (long each : byClient) {
      sum += each;
      squares += (double) each * each;
    }
    return squares == 0 ? 0 : sum * sum / (byClient.size() * squares);
  }

  /** The delay that half of the calls stay below, in micros. */
  public long medianDelay() {
    List<Long> sorted = new ArrayList<>(delays);
    Collections.sort(sorted);
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }
}
