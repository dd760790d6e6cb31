package dev.comporta.server.bench;

import com.google.common.util.concurrent.RateLimiter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One decision that lets the request pass; limits are so large that none is ever refused. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AllowBenchmark {

  private static final long PER_SECOND = 1_000_000;
  private static final long BURST = 1L << 40;

  /** The callers. */
  @State(Scope.Benchmark)
  public static class Callers {

    @Param({"1", "100000"})
    int callers;

    String[] keys = {};

    @Setup
    public void make() {
      keys = Keys.of(callers);
    }
  }

  /** Ours. */
  @State(Scope.Benchmark)
  public static class Comporta {

    final MemoryLimitStore store = new MemoryLimitStore(100_000, MicrosClock.system());
    final TokenBucket limit = new TokenBucket(PER_SECOND, 1_000_000, BURST);

    @Setup
    public void meetAll(Callers callers) {
      for (String key : callers.keys) {
        decide(key);
      }
    }

    Verdict decide(String key) {
      return store.decide(List.of(new KeyedLimit(key, limit)), 1);
    }
  }

  /** The measure of all. */
  @State(Scope.Benchmark)
  public static class Gcra {

    final BareGcra gcra = new BareGcra(1_000, BURST);
    final AtomicLong only = new AtomicLong(System.nanoTime());

    @Setup
    public void meetAll(Callers callers) {
      for (String key : callers.keys) {
        gcra.tryAcquire(key);
      }
    }
  }

  /** Bucket4j. */
  @State(Scope.Benchmark)
  public static class Bucket4j {

    final ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    @Setup
    public void meetAll(Callers callers) {
      for (String key : callers.keys) {
        buckets.put(
            key,
            Bucket.builder()
                .addLimit(
                    limit -> limit.capacity(BURST).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
                .build());
      }
    }
  }

  /** Resilience4j. */
  @State(Scope.Benchmark)
  public static class Resilience4j {

    final ConcurrentMap<String, io.github.resilience4j.ratelimiter.RateLimiter> limiters =
        new ConcurrentHashMap<>();

    @Setup
    public void meetAll(Callers callers) {
      RateLimiterConfig config =
          RateLimiterConfig.custom()
              .limitForPeriod(Integer.MAX_VALUE)
              .limitRefreshPeriod(Duration.ofSeconds(1))
              .timeoutDuration(Duration.ZERO)
              .build();
      for (String key : callers.keys) {
        limiters.put(key, io.github.resilience4j.ratelimiter.RateLimiter.of(key, config));
      }
    }
  }

  /** Guava. */
  @State(Scope.Benchmark)
  public static class Guava {

    final ConcurrentMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();

    @Setup
    public void meetAll(Callers callers) {
      for (String key : callers.keys) {
        limiters.put(key, RateLimiter.create(1_000_000_000));
      }
    }
  }

  /** The verdict with all figures for the headers. */
  @Benchmark
  public Verdict comporta(Callers callers, Comporta comporta, RandomBits bits) {
    return comporta.decide(Keys.pick(callers.keys, bits.next()));
  }

  /** Yes or no. */
  @Benchmark
  public boolean gcra(Callers callers, Gcra gcra, RandomBits bits) {
    return gcra.gcra.tryAcquire(Keys.pick(callers.keys, bits.next()));
  }

  /** Yes or no, without looking anybody up. */
  @Benchmark
  public boolean gcraWithoutMap(Gcra gcra) {
    return gcra.gcra.tryAcquire(gcra.only);
  }

  /** With remaining and the waits. */
  @Benchmark
  public ConsumptionProbe bucket4j(Callers callers, Bucket4j peer, RandomBits bits) {
    return peer.buckets.get(Keys.pick(callers.keys, bits.next())).tryConsumeAndReturnRemaining(1);
  }

  /** Yes or no. */
  @Benchmark
  public boolean resilience4j(Callers callers, Resilience4j peer, RandomBits bits) {
    return peer.limiters.get(Keys.pick(callers.keys, bits.next())).acquirePermission();
  }

  /** Yes or no. */
  @Benchmark
  public boolean guava(Callers callers, Guava peer, RandomBits bits) {
    return peer.limiters.get(Keys.pick(callers.keys, bits.next())).tryAcquire();
  }
}
