package dev.comporta.server.limiter;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one request has taken from some limits that are decided together, so that it can be given
 * back: into the windows that it was taken from, and never more than was taken. Not thread-safe.
 */
final class Account {

  private static final Logger LOG = LoggerFactory.getLogger(Account.class);

  private final LimitStore store;
  private final List<KeyedLimit> limits;
  private final Deque<Taken> taken = new ArrayDeque<>(1);
  private OptionalLong lastAtMicros = OptionalLong.empty();

  private record Taken(long permits, long atMicros) {}

  Account(LimitStore store, List<KeyedLimit> limits) {
    this.store = store;
    this.limits = limits;
  }

  List<KeyedLimit> limits() {
    return limits;
  }

  /** Whether the limits have admitted the request. */
  boolean isAdmitted() {
    return lastAtMicros.isPresent();
  }

  /** Notes permits that were taken at that instant. */
  void took(long permits, long atMicros) {
    taken.push(new Taken(permits, atMicros));
    lastAtMicros = OptionalLong.of(atMicros);
  }

  /**
   * Takes permits whether they are there or not. Nothing if the limits never admitted the request,
   * or no store could be asked. A request that has given all back was admitted all the same.
   */
  Optional<Standings> take(long permits) {
    if (lastAtMicros.isEmpty()) {
      return Optional.empty();
    }
    Optional<Standings> standings = settle(permits, lastAtMicros.getAsLong());
    standings.ifPresent(now -> took(permits, now.nowMicros()));
    return standings;
  }

  /**
   * Gives back so many permits, the last taken first. Nothing if none were taken, or no store could
   * be asked.
   */
  Optional<Standings> giveBack(long permits) {
    Optional<Standings> standings = Optional.empty();
    long left = permits;
    while (left > 0 && !taken.isEmpty()) {
      Taken last = taken.pop();
      long returned = Math.min(left, last.permits());
      if (returned < last.permits()) {
        taken.push(new Taken(last.permits() - returned, last.atMicros()));
      }
      standings = settle(-returned, last.atMicros());
      left -= returned;
    }
    return standings;
  }

  /* A request that has been answered must not fail for what it should have been charged. */
  private Optional<Standings> settle(long permits, long atMicros) {
    try {
      Standings standings = store.settle(limits, permits, atMicros);
      return standings.standings().isEmpty() ? Optional.empty() : Optional.of(standings);
    } catch (StoreException failed) {
      LOG.warn("A request could not be charged what it cost", failed);
      return Optional.empty();
    }
  }
}
