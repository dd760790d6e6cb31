package dev.comporta.client.pacing;

import java.time.Duration;

/** What comes of a request that asks a {@link PacingGate} to let it leave. */
sealed interface Passage {

  /** It leaves now. */
  record Entered(Ticket ticket) implements Passage {}

  /**
   * It would have to stay longer than it may, and has not left.
   *
   * @param delay the time from now to the instant at which it could leave, as far as it is known
   */
  record TooLong(Duration delay) implements Passage {}

  /**
   * As many wait as may, and it has not left.
   *
   * @param waiting how many wait
   * @param delay the time until the first of them can leave, as far as it is known
   */
  record Crowded(int waiting, Duration delay) implements Passage {}

  /** It has not left, and is to ask elsewhere: its requests go to another bucket. */
  record Moved() implements Passage {}
}
