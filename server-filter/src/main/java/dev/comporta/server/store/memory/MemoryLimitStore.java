package dev.comporta.server.store.memory;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Usage kept in this process: the default store.
 *
 * <p>It holds at most as many states as it is told to, one per caller and limit, and never one
 * more. When it is full, a new caller takes the place of another: of one whose state has no effect
 * any more, else of the one with the largest share of its limit left, and only if there is no other
 * of one who is being refused. Which one is found among a random few, so this holds with a
 * probability and not for certain; {@code docs/reference/performance.md} has it. A caller whose
 * state was dropped starts with a full quota.
 *
 * <p>A state costs about 250 bytes, a key of 53 characters included (96).
 *
 * <p>Decisions about different callers run side by side. Needs no thread of its own. Never throws
 * {@link dev.comporta.server.store.StoreException}.
 */
public final class MemoryLimitStore implements LimitStore {

  private final int maximum;
  private final MicrosClock clock;

  private volatile Cells cells;

  /**
   * An empty store.
   *
   * @param maximumStates how many states it may hold (one per caller and limit), at least 1
   * @param clock what it takes for the time; read once per decision, and again when another thread
   *     has changed or dropped what is kept of the same caller in between
   */
  public MemoryLimitStore(long maximumStates, MicrosClock clock) {
    if (maximumStates < 1 || maximumStates > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "maximumStates must be 1 to " + Integer.MAX_VALUE + ", was " + maximumStates);
    }
    this.maximum = (int) maximumStates;
    this.clock = clock;
    this.cells = new Cells(maximum, clock);
  }

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    Cells all = cells;
    if (limits.size() == 1) {
      KeyedLimit only = limits.get(0);
      Cell cell = all.find(only.key());
      Verdict verdict = cell == null ? null : decideAlone(only, cell, cost);
      if (verdict != null) {
        return verdict;
      }
    }
    return decide(new Held(all, limits), limits, cost);
  }

  /** What most requests are: one limit, and a caller that is known; null if it is not that. */
  private @Nullable Verdict decideAlone(KeyedLimit only, Cell cell, long cost) {
    // Read before the lock, which others then wait for half as long.
    long decidedBeforeMicros = cell.decidedAtMicros();
    long readMicros = clock.nowMicros();
    if (!cell.lock()) {
      return null;
    }
    try {
      // Who has decided since did so as of a later time, or of a clock that was set back: what was
      // read is then no time to go by.
      boolean isOvertaken = cell.decidedAtMicros() != decidedBeforeMicros;
      long nowMicros = isOvertaken ? clock.nowMicros() : readMicros;
      long[] state = cell.state();
      return state != null && isCounting(only, cell, nowMicros)
          ? decide(only.limit(), cell, state, cost, nowMicros)
          : null;
    } finally {
      cell.unlock();
    }
  }

  /** Whether no former key can count instead: see {@link Held}. */
  private static boolean isCounting(KeyedLimit limit, Cell cell, long nowMicros) {
    return limit.formerKeys().isEmpty() || !cell.isWithoutEffect(nowMicros);
  }

  private static Verdict decide(
      RateAlgorithm limit, Cell cell, long[] state, long cost, long nowMicros) {
    limit.rebase(state, nowMicros);
    Decision decision = limit.decide(state, cost, nowMicros);
    if (decision instanceof Decision.Allowed) {
      long[] charged = limit.charge(state, cost, nowMicros);
      cell.keep(charged, limit, nowMicros);
      return new Verdict.Admitted(List.of(limit.standing(charged, nowMicros)), nowMicros);
    }
    cell.keep(state, limit, nowMicros);
    if (decision instanceof Decision.Denied denied) {
      cell.refusedUntil(nowMicros + denied.retryAfterMicros());
      return new Verdict.Refused(
          List.of(limit.standing(state, nowMicros)), nowMicros, 0, denied.retryAfterMicros());
    }
    return new Verdict.Impossible(List.of(limit.standing(state, nowMicros)), nowMicros, 0);
  }

  private Verdict decide(Held held, List<KeyedLimit> limits, long cost) {
    for (; ; ) {
      try {
        held.lock();
        long nowMicros = clock.nowMicros();
        List<long[]> states = held.load(nowMicros);
        if (!Verdicts.areAllAllowed(limits, states, cost, nowMicros)) {
          held.refuse(cost, nowMicros);
          return Verdicts.notAdmitted(limits, states, cost, nowMicros);
        }
        if (held.makeRoom(nowMicros)) {
          return Verdicts.admitted(limits, held.charge(cost, nowMicros), nowMicros);
        }
      } finally {
        held.unlock();
      }
    }
  }

  @Override
  public Standings peek(List<KeyedLimit> limits) {
    Held held = new Held(cells, limits);
    try {
      held.lock();
      long nowMicros = clock.nowMicros();
      return standings(limits, held.copy(nowMicros), nowMicros);
    } finally {
      held.unlock();
    }
  }

  @Override
  public Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    if (permits == 0) {
      return peek(limits);
    }
    Held held = new Held(cells, limits);
    for (; ; ) {
      try {
        held.lock();
        long nowMicros = clock.nowMicros();
        held.load(nowMicros);
        if (permits < 0) {
          // The opposite of the least long is no long; nobody was ever charged that much.
          long back = -Math.max(permits, -Long.MAX_VALUE);
          return standings(limits, held.refund(back, chargedAtMicros, nowMicros), nowMicros);
        }
        if (held.makeRoom(nowMicros)) {
          return standings(limits, held.surcharge(permits, nowMicros), nowMicros);
        }
      } finally {
        held.unlock();
      }
    }
  }

  @Override
  public Standings grant(List<KeyedLimit> limits, long permits) {
    RateAlgorithm.requireCost(permits);
    Held held = new Held(cells, limits);
    try {
      held.lock();
      long nowMicros = clock.nowMicros();
      held.load(nowMicros);
      return standings(limits, held.grant(permits, nowMicros), nowMicros);
    } finally {
      held.unlock();
    }
  }

  @Override
  public void reset(List<KeyedLimit> limits) {
    Held held = new Held(cells, limits);
    try {
      held.lock();
      held.clear();
    } finally {
      held.unlock();
    }
  }

  /** How many states it holds. */
  public long size() {
    return cells.size();
  }

  /** Forgets all. */
  @Override
  public void close() {
    cells = new Cells(maximum, clock);
  }

  private static Standings standings(List<KeyedLimit> limits, List<long[]> states, long nowMicros) {
    return new Standings(Verdicts.standings(limits, states, nowMicros), nowMicros);
  }
}
