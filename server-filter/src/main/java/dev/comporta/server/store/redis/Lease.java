package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Permits of one caller that Redis has debited for decisions to come, which this node may admit
 * within a lifetime. Each permit is used once, or is left over at the end. Thread-safe.
 */
final class Lease {

  /*
   * How this works, and why
   *
   * A cost of n is admitted at an instant if n requests of cost 1 are, and then the states are equal.
   * So n permits that were debited at one instant may be used one by one, or several at a time: the
   * caller is told what Redis would have told at that instant.
   *
   *   limit 100, 97 left; a lease of 10: the request that fetches it is told 96, the next ones 95, 94
   *   ... 87. Redis holds 87 since the beginning.
   *
   * That instant stays the instant of all these verdicts: permits that are given back later are so
   * given back into the window that they were taken from. What is told is by up to a lifetime older
   * than the answer, so spans are told that much too long, never too short. When the quota is whole
   * again is told as if all permits of the lease were used, to the request that fetches it as well:
   * they may be.
   */

  private final List<KeyedLimit> limits;
  private final Debit debit;
  private final long endsNanos;
  private final List<Standing> atEnd;
  private final AtomicLong left;

  /**
   * What was debited.
   *
   * @param states of the limits before any of these permits is used
   * @param permits how many; 0 if none could be
   * @param atMicros when, by the clock of Redis
   * @param sentNanos when that was asked, by the clock of this node
   */
  record Debit(List<long[]> states, long permits, long atMicros, long sentNanos) {}

  /**
   * A lease of what was debited.
   *
   * @param lifetimeNanos for how long it may be used, from the sending on
   */
  Lease(List<KeyedLimit> limits, Debit debit, long lifetimeNanos) {
    this.limits = limits;
    this.debit = debit;
    this.endsNanos = debit.sentNanos() + lifetimeNanos;
    this.left = new AtomicLong(debit.permits());
    this.atEnd = standings(debit.permits());
  }

  /** Whose permits these are. */
  List<KeyedLimit> limits() {
    return limits;
  }

  /** When they were debited, by the clock of Redis. */
  long atMicros() {
    return debit.atMicros();
  }

  /** How many are left. */
  long left() {
    return left.get();
  }

  /** Whether none of them may be used any more. */
  boolean isOver(long nowNanos) {
    return nowNanos - endsNanos >= 0;
  }

  /** Admits a request of that cost, if so many permits are left and may still be used. */
  Optional<Verdict> take(long cost, long nowNanos) {
    if (isOver(nowNanos)) {
      return Optional.empty();
    }
    long before = left.get();
    while (before >= cost) {
      if (left.compareAndSet(before, before - cost)) {
        return Optional.of(verdict(debit.permits() - before + cost));
      }
      before = left.get();
    }
    return Optional.empty();
  }

  /** Ends it: from now on nothing is left. Returns how many permits were. */
  long end() {
    return left.getAndSet(0);
  }

  /**
   * The verdict, where the quota is whole again no earlier than there.
   *
   * @param atEnd where the caller stands when all permits are used that were taken with it
   */
  static Verdict.Admitted told(Verdict.Admitted verdict, List<Standing> atEnd) {
    List<Standing> standings = new ArrayList<>(atEnd.size());
    for (int i = 0; i < atEnd.size(); i++) {
      Standing now = verdict.standings().get(i);
      long reset = Math.max(now.resetAfterMicros(), atEnd.get(i).resetAfterMicros());
      standings.add(new Standing(now.limit(), now.remaining(), reset, now.nextAfterMicros()));
    }
    return new Verdict.Admitted(List.copyOf(standings), verdict.nowMicros());
  }

  private Verdict verdict(long used) {
    return told(new Verdict.Admitted(standings(used), debit.atMicros()), atEnd);
  }

  /* Of states after so many permits; those that are kept are never changed. */
  private List<Standing> standings(long used) {
    List<Standing> standings = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      RateAlgorithm limit = limits.get(i).limit();
      long[] state = debit.states().get(i).clone();
      long[] after = used == 0 ? state : limit.charge(state, used, debit.atMicros());
      standings.add(limit.standing(after, debit.atMicros()));
    }
    return standings;
  }
}
