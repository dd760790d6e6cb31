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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One decision that refuses the request: the one permit of the day is spent. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RefuseBenchmark {

  private static final Duration DAY = Duration.ofDays(1);

  /** Ours. */
  @State(Scope.Benchmark)
  public static class Comporta {

    final MemoryLimitStore store = new MemoryLimitStore(100_000, MicrosClock.system());
    final TokenBucket limit = new TokenBucket(1, TimeUnit.DAYS.toMicros(1), 1);

    @Setup
    public void spend(AllowBenchmark.Callers callers) {
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

    final BareGcra gcra = new BareGcra(DAY.toNanos(), 1);

    @Setup
    public void spend(AllowBenchmark.Callers callers) {
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
    public void spend(AllowBenchmark.Callers callers) {
      for (String key : callers.keys) {
        Bucket bucket =
            Bucket.builder().addLimit(limit -> limit.capacity(1).refillGreedy(1, DAY)).build();
        bucket.tryConsumeAndReturnRemaining(1);
        buckets.put(key, bucket);
      }
    }
  }

  /** Resilience4j. */
  @State(Scope.Benchmark)
  public static class Resilience4j {

    final ConcurrentMap<String, io.github.resilience4j.ratelimiter.RateLimiter> limiters =
        new ConcurrentHashMap<>();

    @Setup
    public void spend(AllowBenchmark.Callers callers) {
      RateLimiterConfig config =
          RateLimiterConfig.custom()
              .limitForPeriod(1)
              .limitRefreshPeriod(DAY)
              .timeoutDuration(Duration.ZERO)
              .build();
      for (String key : callers.keys) {
        io.github.resilience4j.ratelimiter.RateLimiter limiter =
            io.github.resilience4j.ratelimiter.RateLimiter.of(key, config);
        limiter.acquirePermission();
        limiters.put(key, limiter);
      }
    }
  }

  /** Guava. */
  @State(Scope.Benchmark)
  public static class Guava {

    final ConcurrentMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();

    @Setup
    public void spend(AllowBenchmark.Callers callers) {
      for (String key : callers.keys) {
        RateLimiter limiter = RateLimiter.create(1.0 / DAY.toSeconds());
        limiter.acquire();
        limiters.put(key, limiter);
      }
    }
  }

  /** The verdict with all figures for the headers. */
  @Benchmark
  public Verdict comporta(AllowBenchmark.Callers callers, Comporta comporta, RandomBits bits) {
    return comporta.decide(Keys.pick(callers.keys, bits.next()));
  }

  /** Yes or no. */
  @Benchmark
  public boolean gcra(AllowBenchmark.Callers callers, Gcra gcra, RandomBits bits) {
    return gcra.gcra.tryAcquire(Keys.pick(callers.keys, bits.next()));
  }

  /** With remaining and the waits. */
  @Benchmark
  public ConsumptionProbe bucket4j(AllowBenchmark.Callers callers, Bucket4j peer, RandomBits bits) {
    return peer.buckets.get(Keys.pick(callers.keys, bits.next())).tryConsumeAndReturnRemaining(1);
  }

  /** Yes or no. */
  @Benchmark
  public boolean resilience4j(AllowBenchmark.Callers callers, Resilience4j peer, RandomBits bits) {
    return peer.limiters.get(Keys.pick(callers.keys, bits.next())).acquirePermission();
  }

  /** Yes or no. */
  @Benchmark
  public boolean guava(AllowBenchmark.Callers callers, Guava peer, RandomBits bits) {
    return peer.limiters.get(Keys.pick(callers.keys, bits.next())).tryAcquire();
  }
}
