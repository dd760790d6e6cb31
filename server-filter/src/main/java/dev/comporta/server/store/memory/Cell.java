package dev.comporta.server.store.memory;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.MicrosClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What is kept under one key, and the lock that guards it. All but {@link #lock} is for the holder
 * of the lock alone.
 */
final class Cell {

  /*
   * How the lock works, and why
   *
   * It is held for the time of one decision, some 50 ns, by code that waits for nothing; where a
   * request has several limits, until the last of their cells is free as well. So it is one int, set
   * by compare-and-swap: 7 ns to take and free it, where an intrinsic lock and a ReentrantLock took
   * 13 each, and the latter 48 bytes a caller besides. Its third value says that the cell was
   * evicted, for ever: who finds that looks the key up anew.
   *
   * Who finds it held leaves it alone for some microseconds, the time of many decisions. Two threads
   * that take turns at each decision wait for the cache line most of the time: 150 to 300 ns for a
   * decision, where one that has some to itself before the other comes back needs 100. Only then it
   * yields, since the holder may want this very core; then sleeps, since the holder may have been
   * stopped by the system. It is not reentrant and not fair. Nobody waits for a cell while holding
   * one that comes later in the order of the keys, so there is no circle (see Held).
   */

  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int EVICTED = 2;

  private static final int PAUSES = 4;
  private static final int SHORTEST_PAUSE_SPINS = 256;
  private static final int LONGEST_PAUSE_SPINS = 1024;
  private static final int YIELDS = 64;
  private static final long SLEEP_NANOS = 50_000;

  /** What a caller is kept for who has nothing left; who has some, for less. */
  static final double NOTHING_LEFT = 1;

  private static final double REFUSED = 2;

  private static final VarHandle LOCK;
  private static final VarHandle DECIDED_AT; // a volatile write would cost as much as the lock

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LOCK = lookup.findVarHandle(Cell.class, "lock", int.class);
      DECIDED_AT = lookup.findVarHandle(Cell.class, "decidedAtMicros", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final String key;
  private final int slot;

  private volatile int lock;

  /** Under which the state was written last; there is one whenever there is the other. */
  private @Nullable RateAlgorithm limit;

  private long @Nullable [] state;

  /** Until then, what was asked last and refused would still be. */
  private long refusedUntilMicros = Long.MIN_VALUE;

  private volatile long decidedAtMicros = Long.MIN_VALUE;

  /**
   * An empty cell, held by who makes it.
   *
   * @param slot where the store lists it
   */
  Cell(String key, int slot) {
    this.key = key;
    this.slot = slot;
    LOCK.set(this, HELD);
  }

  String key() {
    return key;
  }

  int slot() {
    return slot;
  }

  /**
   * Waits for the lock.
   *
   * @return whether it is held now; if not, the cell was evicted
   */
  boolean lock() {
    return LOCK.compareAndSet(this, FREE, HELD) || lockSlowly();
  }

  /** Takes the lock if nobody holds it. */
  boolean tryLock() {
    return LOCK.compareAndSet(this, FREE, HELD);
  }

  void unlock() {
    LOCK.setRelease(this, FREE);
  }

  /** Frees the lock for ever: nobody gets it any more. */
  void unlockEvicted() {
    LOCK.setRelease(this, EVICTED);
  }

  @SuppressWarnings("ThreadPriorityCheck") // The sleep after it is what is relied on.
  private boolean lockSlowly() {
    for (int tries = 0; ; tries++) {
      if (tries < PAUSES) {
        pause(Math.min(SHORTEST_PAUSE_SPINS << tries, LONGEST_PAUSE_SPINS));
      } else if (tries < PAUSES + YIELDS) {
        Thread.yield();
      } else if (Thread.currentThread().isInterrupted()) {
        Thread.yield(); // it would not sleep
      } else {
        LockSupport.parkNanos(this, SLEEP_NANOS);
      }
      int seen = lock;
      if (seen == EVICTED) {
        return false;
      }
      if (seen == FREE && LOCK.compareAndSet(this, FREE, HELD)) {
        return true;
      }
    }
  }

  private static void pause(int spins) {
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
  }

  /** The usage, if any is kept; to be changed in place and then {@link #keep kept}. */
  long @Nullable [] state() {
    return state;
  }

  /** Keeps usage that was counted by that limit, as of that instant. */
  void keep(long[] counted, RateAlgorithm by, long nowMicros) {
    // A reference is stored only if it is another one: each store costs a barrier of the collector.
    if (state != counted) {
      state = counted;
    }
    if (limit != by) {
      limit = by;
    }
    DECIDED_AT.setOpaque(this, nowMicros);
  }

  /** As of when the usage was kept last; for everybody. */
  long decidedAtMicros() {
    return decidedAtMicros;
  }

  /** Remembers that the caller was refused, for when somebody has to go. */
  void refusedUntil(long micros) {
    refusedUntilMicros = micros;
  }

  /** Forgets the usage. */
  void clear() {
    state = null;
    limit = null;
    refusedUntilMicros = Long.MIN_VALUE;
    decidedAtMicros = Long.MIN_VALUE;
  }

  /**
   * The time as of which this cell is to be looked at. Who looks has read the clock before, and the
   * caller may have come since: then it is read again. If it still has not come to where it was
   * then, it was set back, and what is kept is brought to now.
   */
  long currentMicros(long readMicros, MicrosClock clock) {
    long decidedMicros = decidedAtMicros;
    if (decidedMicros <= readMicros) {
      return readMicros;
    }
    long nowMicros = clock.nowMicros();
    RateAlgorithm by = limit;
    long[] counted = state;
    if (decidedMicros > nowMicros && by != null && counted != null) {
      by.rebase(counted, nowMicros);
      if (refusedUntilMicros > decidedMicros) {
        refusedUntilMicros -= decidedMicros - nowMicros;
      }
      DECIDED_AT.setOpaque(this, nowMicros);
    }
    return nowMicros;
  }

  /** Whether forgetting this cell would change nothing. */
  boolean isWithoutEffect(long nowMicros) {
    RateAlgorithm by = limit;
    long[] counted = state;
    return by == null || counted == null || by.effectEndsAtMicros(counted) <= nowMicros;
  }

  /**
   * How much this cell should be kept, if somebody has to go: below {@link #NOTHING_LEFT} by the
   * share that is left, so that limits of different size compare; above it if the caller is being
   * refused, the more the longer. An estimate, for which a double will do.
   */
  double worth(long nowMicros) {
    RateAlgorithm by = limit;
    long[] counted = state;
    if (by == null || counted == null) {
      return 0;
    }
    if (refusedUntilMicros > nowMicros) {
      return REFUSED + (double) (refusedUntilMicros - nowMicros);
    }
    Standing standing = by.standing(counted, nowMicros);
    return NOTHING_LEFT - (double) standing.remaining() / standing.limit();
  }
}
