package dev.comporta.server.store.memory;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * A program of its own, for a small heap: 1000 callers spend their quota and are refused, then
 * millions of others come once each. Prints one line of figures.
 */
final class Flood {

  static final int STATES = 100_000;
  static final int REFUSED = 1_000;

  private static final TokenBucket LIMIT = new TokenBucket(5, 3_600_000_000L, 5);

  private final MemoryLimitStore store = new MemoryLimitStore(STATES, MicrosClock.system());

  private final int identities;

  private Flood(int identities) {
    this.identities = identities;
  }

  /** Takes the number of threads, and of identities. */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    System.out.println(new Flood(Integer.parseInt(args[1])).run(Integer.parseInt(args[0])));
  }

  private String run(int threads) throws InterruptedException, ExecutionException {
    long before =
        IntStream.range(0, REFUSED)
            .filter(i -> isAdmitted("refused " + i, 5) && !isAdmitted("refused " + i, 1))
            .count();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Long>> floods = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int first = t;
      floods.add(pool.submit(() -> largestSize(first, threads)));
    }
    long largest = 0;
    for (Future<Long> flood : floods) {
      largest = Math.max(largest, flood.get());
    }
    pool.shutdown();
    long after = IntStream.range(0, REFUSED).filter(i -> !isAdmitted("refused " + i, 1)).count();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return "refusedBefore=%d refusedAfter=%d largestSize=%d usedMegabytes=%d"
        .formatted(
            before, after, largest, (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000);
  }

  private long largestSize(int first, int step) {
    long largest = 0;
    for (int i = first; i < identities; i += step) {
      isAdmitted("shop:1:{" + i + "}:search:0:tb", 1);
      if (i % 100 == first) {
        largest = Math.max(largest, store.size());
      }
    }
    return largest;
  }

  private boolean isAdmitted(String key, long cost) {
    return store.decide(List.of(new KeyedLimit(key, LIMIT)), cost) instanceof Verdict.Admitted;
  }
}
