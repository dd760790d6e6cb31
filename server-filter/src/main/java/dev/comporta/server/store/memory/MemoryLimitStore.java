package dev.comporta.server.store.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Usage kept in this process: the default store.
 *
 * <p>It holds at most as many states as it is told to; when it is full, Caffeine drops those that
 * were asked for least, so that a flood of callers that come once does not push out those that come
 * often. A caller whose state was dropped starts with a full quota. A state costs about 200 bytes,
 * the key included.
 *
 * <p>Needs no thread of its own. Never throws {@link dev.comporta.server.store.StoreException}.
 */
public final class MemoryLimitStore implements LimitStore {

  /*
   * How this works, and why
   *
   * All limits of a request must be decided as one. So each key belongs to one of a fixed number of
   * locks, and a request takes the locks of its keys in the order of their numbers, each once; two
   * requests can then never wait for each other in a circle. A state is only looked up, read and
   * changed under the lock of its key: a state that was evicted between two requests is made anew by
   * one of them and found by the other.
   */

  private static final int LOCKS = 256;

  private final Cache<String, long[]> states;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
  private final MicrosClock clock;

  /**
   * An empty store.
   *
   * @param maximumStates how many states it may hold (one per caller and limit), at least 1
   * @param clock what it takes for the time
   */
  public MemoryLimitStore(long maximumStates, MicrosClock clock) {
    if (maximumStates < 1) {
      throw new IllegalArgumentException("maximumStates must be at least 1, was " + maximumStates);
    }
    this.states = Caffeine.newBuilder().maximumSize(maximumStates).executor(Runnable::run).build();
    this.clock = clock;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    int[] order = lockOrder(limits);
    lock(order);
    try {
      long nowMicros = clock.nowMicros();
      List<long[]> found = statesOf(limits, nowMicros);
      if (!Verdicts.areAllAllowed(limits, found, cost, nowMicros)) {
        return Verdicts.notAdmitted(limits, found, cost, nowMicros);
      }
      for (int i = 0; i < limits.size(); i++) {
        long[] charged = limits.get(i).limit().charge(found.get(i), cost, nowMicros);
        states.put(limits.get(i).key(), charged);
        found.set(i, charged);
      }
      return Verdicts.admitted(limits, found, nowMicros);
    } finally {
      unlock(order);
    }
  }

  @Override
  public Standings peek(List<KeyedLimit> limits) {
    int[] order = lockOrder(limits);
    lock(order);
    try {
      long nowMicros = clock.nowMicros();
      return new Standings(
          Verdicts.standings(limits, copiesOf(limits, nowMicros), nowMicros), nowMicros);
    } finally {
      unlock(order);
    }
  }

  @Override
  public void close() {
    states.invalidateAll();
  }

  private List<long[]> statesOf(List<KeyedLimit> limits, long nowMicros) {
    List<long[]> found = new ArrayList<>(limits.size());
    for (KeyedLimit limit : limits) {
      long[] state = states.getIfPresent(limit.key());
      if (state == null) {
        state = limit.limit().newState();
      }
      limit.limit().rebase(state, nowMicros);
      found.add(state);
    }
    return found;
  }

  private List<long[]> copiesOf(List<KeyedLimit> limits, long nowMicros) {
    List<long[]> copies = new ArrayList<>(limits.size());
    for (KeyedLimit limit : limits) {
      long[] state = states.getIfPresent(limit.key());
      long[] copy = state == null ? limit.limit().newState() : state.clone();
      limit.limit().rebase(copy, nowMicros);
      copies.add(copy);
    }
    return copies;
  }

  private static int[] lockOrder(List<KeyedLimit> limits) {
    return limits.stream()
        .mapToInt(limit -> Math.floorMod(spread(limit.key().hashCode()), LOCKS))
        .sorted()
        .distinct()
        .toArray();
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }

  private void lock(int[] order) {
    for (int index : order) {
      locks[index].lock();
    }
  }

  private void unlock(int[] order) {
    for (int index : order) {
      locks[index].unlock();
    }
  }
}
