package dev.comporta.server.bench;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a competent engineer would write: the generic cell rate algorithm in one {@code AtomicLong}
 * per caller. Knows yes and no; no remaining, no reset, no wait, no bound on the callers, and a
 * rate that is a whole number of nanoseconds.
 */
final class BareGcra {

  private final ConcurrentHashMap<String, AtomicLong> instants = new ConcurrentHashMap<>();
  private final long nanosPerPermit;
  private final long burstNanos;

  BareGcra(long nanosPerPermit, long burst) {
    this.nanosPerPermit = nanosPerPermit;
    this.burstNanos = Math.multiplyExact(nanosPerPermit, burst);
  }

  boolean tryAcquire(String key) {
    AtomicLong instant = instants.get(key);
    if (instant == null) {
      instant = instants.computeIfAbsent(key, absent -> new AtomicLong(System.nanoTime()));
    }
    return tryAcquire(instant);
  }

  boolean tryAcquire(AtomicLong instant) {
    long now = System.nanoTime();
    for (; ; ) {
      long before = instant.get();
      long after = (before - now > 0 ? before : now) + nanosPerPermit;
      if (after - now > burstNanos) {
        return false;
      }
      if (instant.compareAndSet(before, after)) {
        return true;
      }
    }
  }
}
