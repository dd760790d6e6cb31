package dev.comporta.client.pacing;

import java.time.Duration;
import java.util.Optional;

/** What comes of a request that asks {@link Buckets} to let it leave. */
public sealed interface Departure {

  /** It leaves now. Whoever is given this tells {@link Buckets} what came of it. Immutable. */
  final class Left implements Departure {

    private final Route route;
    private final Buckets.Entrance entrance;
    private final Ticket ticket;

    Left(Route route, Buckets.Entrance entrance, Ticket ticket) {
      this.route = route;
      this.entrance = entrance;
      this.ticket = ticket;
    }

    /** Where it goes, as it was told. */
    public Route route() {
      return route;
    }

    Buckets.Entrance entrance() {
      return entrance;
    }

    Ticket ticket() {
      return ticket;
    }
  }

  /**
   * It would have to stay longer than it may, and has not left.
   *
   * @param delay the time from now to the instant at which it could leave, as far as it is known
   * @param bucket the bucket of the server, if answers have named it
   */
  record TooLong(Duration delay, Optional<String> bucket) implements Departure {}

  /**
   * As many wait for the bucket as may, and it has not left.
   *
   * @param waiting how many wait
   * @param delay the time until the first of them can leave, as far as it is known
   * @param bucket the bucket of the server, if answers have named it
   */
  record Crowded(int waiting, Duration delay, Optional<String> bucket) implements Departure {}
}
