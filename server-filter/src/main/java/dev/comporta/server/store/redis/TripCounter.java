package dev.comporta.server.store.redis;

import dev.comporta.server.store.TripCounts;
import java.util.concurrent.atomic.LongAdder;

/** Counts calls, and what they carried or made needless. Thread-safe. */
final class TripCounter {

  private final LongAdder trips = new LongAdder();
  private final LongAdder carried = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder leased = new LongAdder();

  /** A call leaves with so many decisions. */
  void left(int decisions) {
    trips.increment();
    carried.add(decisions);
  }

  /** A refusal was repeated. */
  void repeated() {
    repeated.increment();
  }

  /** A lease admitted a decision. */
  void leased() {
    leased.increment();
  }

  TripCounts counts() {
    return new TripCounts(trips.sum(), carried.sum(), repeated.sum(), leased.sum());
  }
}
