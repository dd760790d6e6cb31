package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Refusals that Redis has told, which this node repeats until the caller would be admitted. Holds a
 * fixed number, however many callers there are. Thread-safe.
 */
final class RefusalCache {

  /*
   * How this works, and why
   *
   * While no permits come back before their time, usage only grows: a caller that is refused until T
   * is refused until T, whoever asks, at the same cost or a higher one. T is told as a span from the
   * instant of the verdict, which lies between the sending and the reply. It is counted here from
   * the sending, so this node never refuses later than Redis would; and what the caller is told is
   * counted from the reply, so it is never told to come too early. What is kept is the state, and
   * the numbers of each answer are computed from it by the same functions as ever.
   *
   * Permits do come back: a refund, a grant, a reset. Those of this node drop what is kept. Of those
   * of another node nothing is heard here, so nothing is repeated for longer than a bound, and where
   * permits are known to come back, for no longer than another bound, at first none. A limit is
   * known to give back once this node is told so, or has done so itself.
   *
   * Where nodes take leases, permits come back at the end of each; there nothing is repeated for
   * longer than a lease lasts.
   *
   * A caller has its place by the hash of its key, and whoever comes to a place that is taken, takes
   * it: the other one costs a trip. So nothing has to be evicted, and a flood of callers costs no
   * memory. Each place counts how often its limit was dropped. A refusal stands while these counts
   * are those of its sending, so one that was on its way meanwhile does not stand either.
   *
   * Of a log Redis tells only the entries that answer this cost and a cost of 1. So a refusal by a
   * log is repeated for a cost of 1 alone, and until its first entry leaves.
   */

  /** Names of limits, which are those of the configuration; far more than it can have. */
  private static final int MOST_REFUNDABLE = 10_000;

  private final long mostNanos;
  private final long mostRefundableNanos;
  private final MonotonicClock clock;
  private final AtomicReferenceArray<@Nullable Refusal> places =
      new AtomicReferenceArray<>(ChangeCounts.PLACES);
  private final ChangeCounts drops = new ChangeCounts();
  private final Set<String> refundable = ConcurrentHashMap.newKeySet();

  /**
   * When a decision was sent.
   *
   * @param nanos the instant
   * @param drops how often its limits had been dropped then
   */
  record Sending(long nanos, int drops) {}

  /**
   * What Redis has told.
   *
   * @param asked limits and cost
   * @param states of the limits
   * @param nowMicros the instant of the verdict
   * @param toldNanos the instant of the reply here
   * @param sending the instant of the sending here
   * @param validNanos for how long since then
   */
  private record Refusal(
      Asked asked,
      List<long[]> states,
      long nowMicros,
      long toldNanos,
      Sending sending,
      long validNanos) {}

  private record Asked(List<KeyedLimit> limits, long cost) {

    boolean answers(List<KeyedLimit> others, long otherCost) {
      return (otherCost == cost || (otherCost > cost && !isByLog())) && limits.equals(others);
    }

    private boolean isByLog() {
      return limits.stream().anyMatch(limit -> isLog(limit.limit()));
    }

    static boolean isLog(RateAlgorithm limit) {
      return limit.kind() == Algorithm.SLIDING_WINDOW_LOG;
    }
  }

  RefusalCache(Trips trips, MonotonicClock clock) {
    this.mostNanos = trips.refusals().toNanos();
    this.mostRefundableNanos = trips.refundableRefusals().toNanos();
    this.clock = clock;
  }

  /** The refusal that still stands, if one is known. */
  Optional<Verdict> verdict(List<KeyedLimit> limits, long cost) {
    for (KeyedLimit limit : limits) {
      Refusal known = places.get(ChangeCounts.place(limit));
      if (known != null && known.asked().answers(limits, cost)) {
        return verdict(known, limits, cost);
      }
    }
    return Optional.empty();
  }

  private Optional<Verdict> verdict(Refusal known, List<KeyedLimit> limits, long cost) {
    long nowNanos = clock.nowNanos();
    boolean isOver = nowNanos - known.sending().nanos() >= known.validNanos();
    if (isOver || drops.of(limits) != known.sending().drops()) {
      return Optional.empty();
    }
    long sinceMicros = TimeUnit.NANOSECONDS.toMicros(nowNanos - known.toldNanos());
    long nowMicros = known.nowMicros() + sinceMicros;
    return Optional.of(Verdicts.notAdmitted(limits, known.states(), cost, nowMicros));
  }

  /** To be called before a decision is sent. */
  Sending sending(List<KeyedLimit> limits) {
    return new Sending(clock.nowNanos(), drops.of(limits));
  }

  /** Keeps that verdict if it can be repeated. */
  void note(SameQuestions same, Sending sending, List<long[]> states, Verdict verdict) {
    Asked asked = new Asked(same.first().limits(), same.first().cost());
    if (verdict instanceof Verdict.Refused refused) {
      long validNanos = Math.min(validNanos(asked, states, refused), same.refusalNanos());
      if (validNanos > 0) {
        keep(
            new Refusal(asked, states, refused.nowMicros(), clock.nowNanos(), sending, validNanos));
      }
    } else if (verdict instanceof Verdict.Admitted) {
      forget(asked);
    }
  }

  /** Usage of these limits is changed by more than a decision: before it, and after it. */
  void drop(List<KeyedLimit> limits) {
    drops.note(limits);
  }

  /** Permits of these limits, whoever is counted, may come back before their time. */
  void mayGiveBack(List<KeyedLimit> limits) {
    for (KeyedLimit limit : limits) {
      if (refundable.size() < MOST_REFUNDABLE && refundable.add(name(limit))) {
        drops.noteAll();
      }
    }
  }

  private long validNanos(Asked asked, List<long[]> states, Verdict.Refused refused) {
    long micros = refused.retryAfterMicros();
    for (int i = 0; i < states.size(); i++) {
      RateAlgorithm limit = asked.limits().get(i).limit();
      if (Asked.isLog(limit)) {
        Decision decision = limit.decide(states.get(i), 1, refused.nowMicros());
        boolean isKnown = asked.cost() == 1 && decision instanceof Decision.Denied;
        micros = isKnown ? Math.min(micros, ((Decision.Denied) decision).retryAfterMicros()) : 0;
      }
    }
    long most = isRefundable(asked.limits()) ? mostRefundableNanos : mostNanos;
    return Math.min(TimeUnit.MICROSECONDS.toNanos(micros), most);
  }

  private boolean isRefundable(List<KeyedLimit> limits) {
    return refundable.size() >= MOST_REFUNDABLE
        || limits.stream().anyMatch(limit -> refundable.contains(name(limit)));
  }

  private void keep(Refusal refusal) {
    for (KeyedLimit limit : refusal.asked().limits()) {
      places.set(ChangeCounts.place(limit), refusal);
    }
  }

  /* A lower cost has passed: what is kept would still be refused, but the numbers have changed. */
  private void forget(Asked asked) {
    for (KeyedLimit limit : asked.limits()) {
      Refusal known = places.get(ChangeCounts.place(limit));
      if (known != null && known.asked().limits().equals(asked.limits())) {
        places.set(ChangeCounts.place(limit), null);
      }
    }
  }

  /** What a key tells of its limit, without whose usage it is. */
  private static String name(KeyedLimit limit) {
    return limit.key().substring(limit.key().indexOf('}') + 1);
  }
}
