package dev.comporta.server.algorithm;

/** What one limit says of one request. Deciding charges nothing. */
public sealed interface Decision {

  /** The cost fits at this instant. */
  record Allowed() implements Decision {}

  /**
   * The cost does not fit now.
   *
   * @param retryAfterMicros after exactly this long, and not one microsecond before, it fits if
   *     nothing is spent meanwhile; at least 1
   */
  record Denied(long retryAfterMicros) implements Decision {}

  /** The cost is above the limit: it will never fit, however long one waits. */
  record Impossible() implements Decision {}

  /** The only {@link Allowed} there needs to be. */
  Decision ALLOWED = new Allowed();

  /** The only {@link Impossible} there needs to be. */
  Decision IMPOSSIBLE = new Impossible();
}
