package dev.comporta.client.sim;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Permission;
import dev.comporta.client.pacing.Ticket;
import java.time.Duration;
import java.util.Optional;

/** When the requests of a client leave, and which of them are sent again. */
interface Strategy {

  /** As {@link dev.comporta.client.pacing.Pacer#acquire}. */
  Permission acquire(long nowMicros);

  void answered(Ticket ticket, Answer answer, long nowMicros);

  /**
   * The wait after which a refused call is sent again; empty when it has failed.
   *
   * @param attempt how often it was sent, from 1
   */
  Optional<Duration> again(int attempt, RateLimitSnapshot snapshot);
}
