package dev.comporta.client.pacing;

/** What a {@link Pacer} says to the request that wants to leave next. */
public sealed interface Permission {

  /** The request leaves now, and counts as sent. */
  record Granted(Ticket ticket) implements Permission {}

  /**
   * The request stays. It asks again at that instant, or as soon as an answer to another request
   * has come, since each answer can change what is known.
   *
   * @param untilMicros later than the instant at which it was asked
   */
  record Wait(long untilMicros) implements Permission {}
}
