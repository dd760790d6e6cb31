package dev.comporta.server.store;

import dev.comporta.server.algorithm.Standing;
import java.util.List;

/** What all limits of one request say together. */
public sealed interface Verdict {

  /** A verdict that a store has reached: it knows where the caller stands. */
  sealed interface Decided extends Verdict {

    /** Where the caller stands on each limit after the verdict, in the order of the request. */
    List<Standing> standings();

    /** The instant of the verdict by the clock of the store, microseconds since the epoch. */
    long nowMicros();
  }

  /** Every limit passed, and every limit is charged. */
  record Admitted(List<Standing> standings, long nowMicros) implements Decided {}

  /**
   * At least one limit did not pass, and none is charged.
   *
   * @param standings of each limit
   * @param nowMicros the instant of the verdict
   * @param binding which limit asks to wait longest
   * @param retryAfterMicros how long that is; a caller alone on all these limits is admitted then,
   *     and not one microsecond before
   */
  record Refused(List<Standing> standings, long nowMicros, int binding, long retryAfterMicros)
      implements Decided {}

  /**
   * The cost is above a limit: no waiting helps, and none is charged.
   *
   * @param standings of each limit
   * @param nowMicros the instant of the verdict
   * @param binding which limit
   */
  record Impossible(List<Standing> standings, long nowMicros, int binding) implements Decided {}

  /** No store could decide, and the application has chosen to let requests pass then. */
  record Unchecked() implements Verdict {}

  /**
   * No store could decide, and the application has chosen to refuse requests then: 503, never 429.
   *
   * @param retryAfterMicros when it makes sense to ask again
   */
  record Unavailable(long retryAfterMicros) implements Verdict {}
}
