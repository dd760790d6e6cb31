package dev.comporta.server.store.memory;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The same for one thread, as plainly as it can be said: what the others are compared with. */
final class SequentialStore implements LimitStore {

  private final Map<String, long[]> states = new HashMap<>();
  private final long nowMicros;

  SequentialStore(long nowMicros) {
    this.nowMicros = nowMicros;
  }

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    List<long[]> found = copies(limits);
    if (!Verdicts.areAllAllowed(limits, found, cost, nowMicros)) {
      return Verdicts.notAdmitted(limits, found, cost, nowMicros);
    }
    for (int i = 0; i < limits.size(); i++) {
      found.set(i, limits.get(i).limit().charge(found.get(i), cost, nowMicros));
      states.put(limits.get(i).key(), found.get(i));
    }
    return Verdicts.admitted(limits, found, nowMicros);
  }

  @Override
  public Standings peek(List<KeyedLimit> limits) {
    return new Standings(Verdicts.standings(limits, copies(limits), nowMicros), nowMicros);
  }

  @Override
  public Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    List<long[]> found = copies(limits);
    for (int i = 0; i < limits.size(); i++) {
      KeyedLimit limit = limits.get(i);
      if (permits > 0) {
        states.put(limit.key(), limit.limit().surcharge(found.get(i), permits, nowMicros));
      } else if (permits < 0 && states.containsKey(limit.key())) {
        states.put(
            limit.key(), limit.limit().refund(found.get(i), -permits, chargedAtMicros, nowMicros));
      }
    }
    return peek(limits);
  }

  @Override
  public Standings grant(List<KeyedLimit> limits, long permits) {
    List<long[]> found = copies(limits);
    for (int i = 0; i < limits.size(); i++) {
      KeyedLimit limit = limits.get(i);
      if (states.containsKey(limit.key())) {
        states.put(limit.key(), limit.limit().grant(found.get(i), permits, nowMicros));
      }
    }
    return peek(limits);
  }

  @Override
  public void reset(List<KeyedLimit> limits) {
    limits.forEach(limit -> states.remove(limit.key()));
  }

  @Override
  public void close() {
    states.clear();
  }

  private List<long[]> copies(List<KeyedLimit> limits) {
    List<long[]> copies = new ArrayList<>(limits.size());
    for (KeyedLimit limit : limits) {
      long[] state = states.get(limit.key());
      copies.add(state == null ? limit.limit().newState() : state.clone());
    }
    return copies;
  }
}
