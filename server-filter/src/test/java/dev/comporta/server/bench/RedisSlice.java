package dev.comporta.server.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.comporta.server.store.redis.RedisServerProcess;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * One limiter, asked by so many threads without a pause for a moment.
 *
 * @param perSecond decisions
 * @param p50Micros how long half of them took at most
 * @param p99Micros how long all but a hundredth took at most
 * @param costs of one decision
 */
record RedisSlice(double perSecond, double p50Micros, double p99Micros, Costs costs) {

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

  /** What was asked before has left compiled code for other answers. */
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int MOST_PER_THREAD = 2_000_000;

  /** Callers are taken in steps that meet all of them. */
  private static final int STEP = 7;

  /**
   * What one decision costs.
   *
   * @param clientMicros of the processor, of this whole process
   * @param redisMicros of the processor, of Redis
   * @param reads by Redis from a connection
   */
  record Costs(double clientMicros, double redisMicros, double reads) {

    static Costs now(RedisServerProcess redis) {
      long nanos =
          ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
              ? system.getProcessCpuTime()
              : 0;
      return new Costs(
          nanos / 1e3,
          (redis.figure("used_cpu_user") + redis.figure("used_cpu_sys")) * 1e6,
          redis.figure("total_reads_processed"));
    }

    Costs since(Costs before, double decisions) {
      return new Costs(
          (clientMicros - before.clientMicros) / decisions,
          (redisMicros - before.redisMicros) / decisions,
          (reads - before.reads) / decisions);
    }

    Costs least(Costs other) {
      return new Costs(
          Math.min(clientMicros, other.clientMicros),
          Math.min(redisMicros, other.redisMicros),
          Math.min(reads, other.reads));
    }
  }

  /** Asks; each answer must be the one that is expected. */
  static RedisSlice of(
      RedisServerProcess redis,
      RedisLimiter limiter,
      String[] keys,
      int threads,
      boolean isExpected)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      IntFunction<Callable<long[]>> warmUp =
          i -> () -> ask(limiter, keys, i, WARM_UP_NANOS, isExpected);
      allOf(pool, threads, warmUp);
      Costs before = Costs.now(redis);
      long start = System.nanoTime();
      long[] all = allOf(pool, threads, i -> () -> ask(limiter, keys, i, NANOS, isExpected));
      double seconds = (System.nanoTime() - start) / 1e9;
      Arrays.sort(all);
      Costs costs = Costs.now(redis).since(before, all.length);
      return new RedisSlice(all.length / seconds, micros(all, 0.5), micros(all, 0.99), costs);
    } finally {
      pool.shutdownNow();
    }
  }

  private static long[] allOf(
      ExecutorService pool, int threads, IntFunction<Callable<long[]>> asking)
      throws InterruptedException, ExecutionException {
    List<Future<long[]>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(pool.submit(asking.apply(i)));
    }
    List<long[]> taken = new ArrayList<>();
    for (Future<long[]> each : running) {
      taken.add(each.get());
    }
    return taken.stream().flatMapToLong(LongStream::of).toArray();
  }

  private static double micros(long[] sortedNanos, double share) {
    return sortedNanos[(int) (share * (sortedNanos.length - 1))] / 1e3;
  }

  private static long[] ask(
      RedisLimiter limiter, String[] keys, int first, long nanos, boolean isExpected) {
    long[] taken = new long[1024];
    int asked = 0;
    int caller = first * 31;
    long start = System.nanoTime();
    long before = start;
    while (before - start < nanos && asked < MOST_PER_THREAD) {
      caller = (caller + STEP) % keys.length;
      if (limiter.isAdmitted(keys[caller]) != isExpected) {
        throw new IllegalStateException("expected " + isExpected);
      }
      long after = System.nanoTime();
      if (asked == taken.length) {
        taken = Arrays.copyOf(taken, 2 * asked);
      }
      taken[asked] = after - before;
      asked++;
      before = after;
    }
    return Arrays.copyOf(taken, asked);
  }
}
