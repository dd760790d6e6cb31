package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How much memory of Redis a caller takes for one limit, with a key as the limiter makes it; and,
 * as a figure to print, how long Redis runs a script.
 */
class CostInRedisIT {

  private static final int CALLERS = 10_000;

  /**
   * What the allocator of the Redis that the tests bring takes more: 8 bytes for each of four
   * pieces, and room for what the buffers of the connections have grown meanwhile.
   */
  private static final long MORE_WITHOUT_JEMALLOC = 40;

  private static final int AT_ONCE = 500;
  private static final int REFUSED = 200;

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L);
  private final RedisServerProcess server = RedisServerProcess.started();
  private final RedisLimitStore store =
      RedisLimitStore.withGivenTime(
          // Long calls leave long buffers in Redis, which are no part of what a caller takes.
          RedisOptions.at(server.address())
              .within(Duration.ofSeconds(10))
              .saving(Trips.oneForEach()),
          now::get);

  @BeforeEach
  void awaitReady() {
    assertThat(store.awaitReady(Duration.ofSeconds(10))).isTrue();
  }

  @AfterEach
  void close() {
    store.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "100/1m, tb, 190",
    "100/1m;algorithm=sliding-window-counter, sw, 230",
    "100/1m;algorithm=fixed-window, fw, 175"
  })
  void callerTakesFewBytes(String text, String end, long most) {
    RateAlgorithm limit = RateAlgorithm.of(LimitSpec.parse(text));
    eachCaller(limit, end, 1);
    server.command("FLUSHALL");
    long before = usedMemory();
    now.addAndGet(90_000_000);

    // Two windows, so that a weighted one has both its counters.
    eachCaller(limit, end, 40);
    now.addAndGet(45_678_901);
    eachCaller(limit, end, 30);
    now.addAndGet(12_345_678);
    long cpuBefore = cpuMicros();
    eachCaller(limit, end, 30);
    double micros = (double) (cpuMicros() - cpuBefore) / CALLERS;

    long bytes = (usedMemory() - before) / CALLERS;
    System.out.printf(
        Locale.ROOT,
        "%s: %d bytes per caller, %.1f µs of Redis per decision, one state: %s%n",
        text,
        bytes,
        micros,
        server.command("GET", key(CALLERS / 2, end)));
    boolean isJemalloc = server.command("INFO", "memory").contains("mem_allocator:jemalloc");
    assertThat(bytes).as(text).isLessThanOrEqualTo(most + (isJemalloc ? 0 : MORE_WITHOUT_JEMALLOC));
  }

  @Test
  void printsWhatALogCosts() {
    for (int permits : new int[] {100, 1_000}) {
      KeyedLimit limit =
          new KeyedLimit(
              key(permits, "sl"),
              RateAlgorithm.of(LimitSpec.parse(permits + "/1h", Algorithm.SLIDING_WINDOW_LOG)));
      repeat(new KeyedLimit("other", limit.limit()), 1);
      long start = cpuMicros();
      repeat(limit, permits);
      long full = cpuMicros();
      long bytes =
          Long.parseLong(
              server.command("MEMORY", "USAGE", limit.key(), "SAMPLES", "0").substring(1));
      repeat(limit, REFUSED);
      System.out.printf(
          Locale.ROOT,
          "log of %d: %d bytes when full, µs of Redis per decision: %.1f to fill, %.1f refused%n",
          permits,
          bytes,
          (double) (full - start) / permits,
          (double) (cpuMicros() - full) / REFUSED);
      assertThat(bytes).as("log of " + permits).isLessThan(40L * permits + 4_096);
    }
  }

  @Test
  void printsTheSizesOfTheScripts() {
    RedisScripts scripts = RedisScripts.byServerTime();
    for (Algorithm algorithm : Algorithm.values()) {
      System.out.println(
          algorithm
              + " decides with "
              + scripts.decide(Set.of(algorithm)).length()
              + " characters");
    }
    System.out.println("whatever changes: " + scripts.change().length() + " characters");
    assertThat(scripts.change().length()).isLessThan(40_000);
  }

  private void eachCaller(RateAlgorithm limit, String end, long cost) {
    for (int from = 0; from < CALLERS; from += AT_ONCE) {
      List<CompletionStage<?>> answers = new ArrayList<>();
      for (int caller = from; caller < from + AT_ONCE; caller++) {
        now.incrementAndGet();
        answers.add(store.decideAsync(List.of(new KeyedLimit(key(caller, end), limit)), cost));
      }
      await(answers);
    }
  }

  private void repeat(KeyedLimit limit, int times) {
    for (int done = 0; done < times; done += AT_ONCE) {
      List<CompletionStage<?>> answers = new ArrayList<>();
      for (int i = 0; i < Math.min(AT_ONCE, times - done); i++) {
        now.addAndGet(7);
        answers.add(store.decideAsync(List.of(limit), 1));
      }
      await(answers);
    }
  }

  private static void await(List<CompletionStage<?>> answers) {
    CompletableFuture.allOf(
            answers.stream()
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new))
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }

  /** Namespace, version, a hash of 20 characters, policy, limit, algorithm. */
  private static String key(int caller, String end) {
    return String.format(Locale.ROOT, "library:1:{%020d}:search:0:%s", caller, end);
  }

  private long usedMemory() {
    return figure("memory", "used_memory:").mapToLong(Long::parseLong).sum();
  }

  /** Of its processor, so that other processes do not count. */
  private long cpuMicros() {
    return Stream.of("used_cpu_user:", "used_cpu_sys:")
        .flatMap(start -> figure("cpu", start))
        .mapToLong(seconds -> (long) (Double.parseDouble(seconds) * 1e6))
        .sum();
  }

  private Stream<String> figure(String section, String start) {
    return server
        .command("INFO", section)
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip());
  }
}
