package dev.comporta.server.filter;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps usage, and every key that it was given; fails to settle when it is told to. */
final class KeyRecorder implements LimitStore {

  private final MemoryLimitStore store = new MemoryLimitStore(100, MicrosClock.system());
  private final Set<String> keys = ConcurrentHashMap.newKeySet();
  private final Set<String> refundable = ConcurrentHashMap.newKeySet();
  private final Set<Integer> leases = ConcurrentHashMap.newKeySet();
  private volatile boolean settles = true;

  /** Every key that it was given. */
  Set<String> keys() {
    return Set.copyOf(keys);
  }

  /** Every key of which it was told that permits may come back. */
  Set<String> refundable() {
    return Set.copyOf(refundable);
  }

  /** How many permits it was told that a decision may take at most. */
  Set<Integer> leases() {
    return Set.copyOf(leases);
  }

  /** From now on, it fails to settle. */
  void failToSettle() {
    settles = false;
  }

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    limits.forEach(limit -> keys.add(limit.key()));
    return store.decide(limits, cost);
  }

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost, int lease) {
    leases.add(lease);
    return decide(limits, cost);
  }

  @Override
  public void mayGiveBack(List<KeyedLimit> limits) {
    limits.forEach(limit -> refundable.add(limit.key()));
  }

  @Override
  public Standings peek(List<KeyedLimit> limits) {
    return store.peek(limits);
  }

  @Override
  public Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    if (!settles) {
      throw new StoreException("no answer", new IllegalStateException("cut off"));
    }
    return store.settle(limits, permits, chargedAtMicros);
  }

  @Override
  public Standings grant(List<KeyedLimit> limits, long permits) {
    return store.grant(limits, permits);
  }

  @Override
  public void reset(List<KeyedLimit> limits) {
    store.reset(limits);
  }

  @Override
  public void close() {
    store.close();
  }
}
