package dev.comporta.server.bench;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.util.List;

/** What one state costs in a full memory store, by the difference of the used heap. */
final class Footprint {

  private static final int STATES = 500_000;
  private static final long HOUR = 3_600_000_000L;

  private Footprint() {}

  static void measure() {
    System.out.println("| limit | bytes per state | of which the key |");
    System.out.println("|---|---|---|");
    row("token bucket", new TokenBucket(100, HOUR, 100));
    row("sliding window counter", new SlidingWindowCounter(100, HOUR));
  }

  private static void row(String name, RateAlgorithm limit) {
    long empty = usedBytes();
    String[] keys = Keys.of(STATES);
    long keyBytes = usedBytes() - empty - 4L * STATES;
    MemoryLimitStore store = new MemoryLimitStore(STATES, MicrosClock.system());
    for (String key : keys) {
      store.decide(List.of(new KeyedLimit(key, limit)), 1);
    }
    long all = usedBytes() - empty - 4L * STATES;
    System.out.printf(
        "| %s | %d | %d (%d characters) |%n",
        name, all / STATES, keyBytes / STATES, keys[0].length());
    store.close();
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
