package dev.comporta.server.store.memory;

import dev.comporta.server.store.MicrosClock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** All cells of a store by their keys, and never more of them than it may hold. Thread-safe. */
final class Cells {

  /*
   * How a cell is evicted, and why
   *
   * Each cell has a slot in a list beside the map, so that one can be picked at random. A new key
   * takes a slot that was never used; when there is none, the slot of the least worthy of a sample.
   * So an eviction costs the same however many cells there are, and needs neither a thread nor an
   * order that each decision would have to maintain. (Redis evicts in this way, from 5.)
   *
   * The sample is 8; the first without effect ends it. If all 8 have nothing left or are being
   * refused, it goes on to 64, or to the first that has something left. Let q be the share of those
   * in the store: one of them goes with probability q^64 per new key. q = 1 %: 1e-128. q = 50 %:
   * 5e-20. q = 90 %: 0.1 %. Where all have nothing left, the one goes of 64 that gets something
   * soonest. Up to 64 cells, all are looked at.
   *
   * The victim is held while it goes, and is only tried for, never waited for; so no thread that
   * holds a cell waits here for another. It leaves the map before the new cell enters it: the map
   * never holds more cells than there are slots. The lock of the key's stripe, in which only tries
   * happen, keeps two threads from making two cells for one key.
   */

  private static final int SAMPLE = 8;
  private static final int LARGEST_SAMPLE = 64;
  private static final int STRIPES = 64;
  private static final int CHUNK_BITS = 12;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final ConcurrentHashMap<String, Cell> byKey = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Cell>> slots;
  private final AtomicInteger used = new AtomicInteger();
  private final int maximum;
  private final MicrosClock clock;
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  Cells(int maximum, MicrosClock clock) {
    this.maximum = maximum;
    this.clock = clock;
    // Chunks are made as they are needed: a high bound costs nothing before it is used.
    this.slots = new AtomicReferenceArray<>((maximum - 1) / CHUNK + 1);
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  /** What became of the wish to have a cell for a key. */
  sealed interface Room {

    /** The cell, held by the one who asked. */
    record Given(Cell cell) implements Room {}

    /** Another thread has just made one and may hold it: begin anew. */
    record Busy() implements Room {}

    /** Every cell that was looked at is held by somebody. */
    record None() implements Room {}

    Room BUSY = new Busy();
    Room NONE = new None();
  }

  @Nullable Cell find(String key) {
    return byKey.get(key);
  }

  /** The cell of that key, held by this thread, if there is one. Waits for its lock. */
  @Nullable Cell findAndLock(String key) {
    for (; ; ) {
      Cell cell = byKey.get(key);
      // An evicted cell has left the map before its lock says so: the next look finds another.
      if (cell == null || cell.lock()) {
        return cell;
      }
    }
  }

  /** Makes room for a key that had no cell. Waits for no cell. */
  Room make(String key, long nowMicros) {
    ReentrantLock stripe = stripes[spread(key.hashCode()) & (STRIPES - 1)];
    stripe.lock();
    try {
      Cell present = byKey.get(key);
      if (present != null) {
        return present.tryLock() ? new Room.Given(present) : Room.BUSY;
      }
      Cell cell;
      int fresh = nextUnused();
      if (fresh < maximum) {
        cell = new Cell(key, fresh);
      } else {
        Cell victim = heldVictim(nowMicros);
        if (victim == null) {
          return Room.NONE;
        }
        cell = new Cell(key, victim.slot());
        byKey.remove(victim.key(), victim);
        victim.unlockEvicted();
      }
      byKey.put(key, cell);
      chunk(cell.slot()).set(cell.slot() & (CHUNK - 1), cell);
      return new Room.Given(cell);
    } finally {
      stripe.unlock();
    }
  }

  /** How many there are; exact when nobody makes any. */
  long size() {
    return byKey.mappingCount();
  }

  private int nextUnused() {
    int next = used.get();
    while (next < maximum && !used.compareAndSet(next, next + 1)) {
      next = used.get();
    }
    return next;
  }

  /** The least worthy of a sample, held by this thread; null if all were held by somebody. */
  private @Nullable Cell heldVictim(long nowMicros) {
    Cell victim = null;
    double least = Double.MAX_VALUE;
    int start = ThreadLocalRandom.current().nextInt(maximum);
    int largest = Math.min(LARGEST_SAMPLE, maximum);
    for (int i = 0; i < largest && !isGoodEnough(i, least); i++) {
      Cell cell = at(pick(start, i));
      if (cell == null || !cell.tryLock()) {
        continue;
      }
      long currentMicros = cell.currentMicros(nowMicros, clock);
      if (cell.isWithoutEffect(currentMicros)) {
        return instead(victim, cell);
      }
      double worth = cell.worth(currentMicros);
      if (worth < least) {
        victim = instead(victim, cell);
        least = worth;
      } else {
        cell.unlock();
      }
    }
    return victim;
  }

  private boolean isGoodEnough(int looks, double least) {
    return looks >= SAMPLE && least < Cell.NOTHING_LEFT && maximum > LARGEST_SAMPLE;
  }

  /** Any slot; in a small store each in turn, so that none is looked at twice. */
  private int pick(int start, int look) {
    return maximum > LARGEST_SAMPLE
        ? ThreadLocalRandom.current().nextInt(maximum)
        : (start + look) % maximum;
  }

  private static Cell instead(@Nullable Cell before, Cell now) {
    if (before != null) {
      before.unlock();
    }
    return now;
  }

  private @Nullable Cell at(int slot) {
    AtomicReferenceArray<@Nullable Cell> chunk = slots.get(slot >>> CHUNK_BITS);
    return chunk == null ? null : chunk.get(slot & (CHUNK - 1));
  }

  private AtomicReferenceArray<@Nullable Cell> chunk(int slot) {
    int index = slot >>> CHUNK_BITS;
    AtomicReferenceArray<@Nullable Cell> present = slots.get(index);
    if (present != null) {
      return present;
    }
    int length = Math.min(CHUNK, maximum - (index << CHUNK_BITS));
    AtomicReferenceArray<@Nullable Cell> made = new AtomicReferenceArray<>(length);
    AtomicReferenceArray<@Nullable Cell> first = slots.compareAndExchange(index, null, made);
    return first == null ? made : first;
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }
}
