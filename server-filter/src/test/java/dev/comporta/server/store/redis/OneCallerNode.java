package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.GuardedStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnStoreFailure;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * One node of several that decide on one caller, with a clock that is wrong; also as a process of
 * its own, which waits for a byte and then tells when it admitted.
 */
final class OneCallerNode implements AutoCloseable {

  static final long TEN_SECONDS = 10_000_000;
  static final int LIMIT = 1_000;

  private static final int THREADS = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final GuardedStore store;
  private final List<KeyedLimit> limits;

  OneCallerNode(String address, long offsetMicros, Trips trips, List<KeyedLimit> limits) {
    MicrosClock right = MicrosClock.system();
    RedisLimitStore redis =
        RedisLimitStore.withNodeClock(
            RedisOptions.at(address).within(PATIENCE).saving(trips),
            () -> right.nowMicros() + offsetMicros);
    if (!redis.awaitReady(PATIENCE)) {
      throw new IllegalStateException("no connection to " + address);
    }
    this.store =
        new GuardedStore(
            redis,
            new MemoryLimitStore(10, right),
            new GuardOptions(PATIENCE, OnStoreFailure.DENY, 100, Duration.ofSeconds(1)));
    this.limits = limits;
  }

  /** The limits of that number, in an order by that seed; one of them is 1000 per 10 s. */
  static List<KeyedLimit> limits(String caller, int number, long seed) {
    KeyedLimit bucket = keyed(caller, "tb", new TokenBucket(LIMIT, TEN_SECONDS, LIMIT));
    KeyedLimit log = keyed(caller, "sl", new SlidingWindowLog(LIMIT, TEN_SECONDS));
    KeyedLimit counter =
        keyed(caller, "sw", new SlidingWindowCounter(LIMIT, TEN_SECONDS, 1, Estimate.STRICT));
    KeyedLimit wide = keyed(caller, "wide", new TokenBucket(90_000, TEN_SECONDS, 90_000));
    KeyedLimit wider = keyed(caller, "wider", new SlidingWindowCounter(80_000, TEN_SECONDS));
    List<KeyedLimit> chosen =
        new ArrayList<>(
            switch (number) {
              case 0 -> List.of(bucket);
              case 1 -> List.of(log);
              default -> List.of(counter, wide, wider);
            });
    Collections.shuffle(chosen, new Random(seed));
    return List.copyOf(chosen);
  }

  /** Asks from all threads, each so often, and tells the instants of admission by Redis. */
  List<Long> admissions(int decisions) {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<List<Long>>> parts = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        parts.add(pool.submit(() -> admissionsOfAThread(decisions)));
      }
      List<Long> all = new ArrayList<>();
      for (Future<List<Long>> part : parts) {
        all.addAll(part.get());
      }
      return all;
    } catch (InterruptedException | ExecutionException failed) {
      throw new IllegalStateException(failed);
    } finally {
      pool.shutdown();
    }
  }

  private List<Long> admissionsOfAThread(int decisions) {
    List<Long> admitted = new ArrayList<>();
    for (int i = 0; i < decisions; i++) {
      Verdict.Decided verdict = (Verdict.Decided) store.decide(limits, 1);
      if (verdict instanceof Verdict.Admitted) {
        admitted.add(verdict.nowMicros());
      }
    }
    return admitted;
  }

  @Override
  public void close() {
    store.close();
  }

  /** Address, offset of the clock in microseconds, number of the limits, seed, decisions. */
  public static void main(String[] words) throws IOException {
    List<KeyedLimit> limits =
        limits("processes", Integer.parseInt(words[2]), Long.parseLong(words[3]));
    try (OneCallerNode node =
        new OneCallerNode(words[0], Long.parseLong(words[1]), Trips.defaults(), limits)) {
      System.out.println("ready");
      if (System.in.read() >= 0) {
        System.out.println(
            node.admissions(Integer.parseInt(words[4])).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(" ")));
      }
    }
  }

  private static KeyedLimit keyed(String caller, String end, RateAlgorithm limit) {
    return new KeyedLimit("{" + caller + "}:" + end, limit);
  }
}
