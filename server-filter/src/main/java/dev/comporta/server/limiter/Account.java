package dev.comporta.server.limiter;

import dev.comporta.server.algorithm.Standing;
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

  /*
   * A store takes a surcharge only as far as usage and debt stay within twice the limit; the rest is
   * forgiven. What was forgiven was not taken, and must not be given back: else a request could wipe
   * what others of its caller have used, by an estimate far too high that it then corrects. A store
   * does not tell how much it forgave. But a limit that has admitted a request was used up once at
   * most, so one more limit was certainly taken, and no more of it is given back.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Account.class);

  private final LimitStore store;
  private final Changing changing;
  private final List<KeyedLimit> decided;
  private final Deque<Taken> taken = new ArrayDeque<>(1);
  private OptionalLong lastAtMicros = OptionalLong.empty();
  private long certain; // of surcharges, what was certainly taken and not given back

  /** Limits that may change while a request lasts. */
  interface Changing {

    /** Those that were decided, as they are counted now: usage may have moved to another key. */
    List<KeyedLimit> present(List<KeyedLimit> decided);
  }

  /**
   * Permits that were taken at one instant.
   *
   * @param forgiven how many of them the store may not have taken
   */
  private record Taken(long permits, long forgiven, long atMicros) {}

  Account(LimitStore store, Changing changing, List<KeyedLimit> decided) {
    this.store = store;
    this.changing = changing;
    this.decided = decided;
  }

  boolean isEmpty() {
    return decided.isEmpty();
  }

  /** The limits as they are counted now, in the order in which they were decided. */
  List<KeyedLimit> limits() {
    return changing.present(decided);
  }

  /** Whether the limits have admitted the request. */
  boolean isAdmitted() {
    return lastAtMicros.isPresent();
  }

  /** Notes permits that were taken at that instant. */
  void took(long permits, long atMicros) {
    took(new Taken(permits, 0, atMicros));
  }

  private void took(Taken some) {
    taken.push(some);
    lastAtMicros = OptionalLong.of(some.atMicros());
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
    standings.ifPresent(now -> surcharged(permits, now));
    return standings;
  }

  private void surcharged(long permits, Standings now) {
    boolean isPaid = now.standings().stream().allMatch(standing -> standing.remaining() > 0);
    long least = now.standings().stream().mapToLong(Standing::limit).min().orElse(0);
    long real = isPaid ? permits : Math.max(0, Math.min(permits, least - certain));
    certain += real;
    took(new Taken(permits, permits - real, now.nowMicros()));
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
      long unpaid = Math.min(returned, last.forgiven());
      if (returned < last.permits()) {
        taken.push(new Taken(last.permits() - returned, last.forgiven() - unpaid, last.atMicros()));
      }
      if (returned > unpaid) {
        standings = settle(unpaid - returned, last.atMicros());
        certain = Math.max(0, certain - (returned - unpaid));
      }
      left -= returned;
    }
    return standings;
  }

  /* A request that has been answered must not fail for what it should have been charged. */
  private Optional<Standings> settle(long permits, long atMicros) {
    try {
      Standings standings = store.settle(limits(), permits, atMicros);
      return standings.standings().isEmpty() ? Optional.empty() : Optional.of(standings);
    } catch (StoreException failed) {
      LOG.warn("A request could not be charged what it cost", failed);
      return Optional.empty();
    }
  }
}
