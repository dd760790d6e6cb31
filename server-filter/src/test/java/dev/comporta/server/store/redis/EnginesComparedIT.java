package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.api.ratelimiter.RateLimiterArgs;

/**
 * What a decision and a caller cost by each engine, where each decision is a call of its own.
 * Prints the rows of the reference.
 */
class EnginesComparedIT {

  private static final int CALLERS = 500;
  private static final int ADMISSIONS = 100;
  private static final int REFUSALS = 20;
  private static final Set<String> NOT_OF_A_DECISION =
      Set.of("evalsha", "eval", "info", "ping", "client", "hello", "config", "flushall", "command");

  private static RedisServerProcess server;

  @BeforeAll
  static void start() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "rate-limiter, 100/1h;algorithm=sliding-window-log",
    "script, 100/1h;algorithm=sliding-window-log",
    "script, 100/1h"
  })
  void printsWhatADecisionCosts(String engine, String limit) {
    server.command("FLUSHALL");
    try (AsyncLimitStore store = store(engine)) {
      RateAlgorithm counted = RateAlgorithm.of(LimitSpec.parse(limit));
      decide(store, counted, 1);
      server.command("FLUSHALL");
      long bytesBefore = usedMemory();

      Figures admitted = measure(store, counted, ADMISSIONS, Verdict.Admitted.class);
      long bytes = (usedMemory() - bytesBefore) / CALLERS;
      Figures refused = measure(store, counted, REFUSALS, Verdict.Refused.class);

      System.out.printf(
          Locale.ROOT,
          "| `%s`, `%s` | %.1f, %.1f | %.1f, %.1f | %.1f, %.1f | %d |%n",
          engine,
          limit,
          admitted.trips,
          refused.trips,
          admitted.commands,
          refused.commands,
          admitted.micros,
          refused.micros,
          bytes);
      assertThat(refused.trips).isEqualTo(1);
    }
  }

  /** Why the value is counted anew after a change: what Redisson does by itself. */
  @Test
  void printsHowManyALimiterOfRedissonAdmitsThatWasLoweredFromEightToTwo() {
    RedisOptions patient = RedisOptions.at(server.address()).within(Duration.ofSeconds(10));
    RedissonClient client = Redisson.create(RedissonConfig.of(patient));
    try {
      RRateLimiter limiter = client.getRateLimiter("lowered");
      Duration window = Duration.ofMillis(800);
      limiter.trySetRate(RateType.OVERALL, 8, window);
      for (int i = 0; i < 8; i++) {
        limiter.tryAcquire();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        RedisServerProcess.await("it is time", () -> System.nanoTime() >= until);
      }
      limiter.updateRate(RateLimiterArgs.of(RateType.OVERALL, 2, window).keepState(true));
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2_400);
      int admitted = 0;
      while (System.nanoTime() < end) {
        admitted += limiter.tryAcquire() ? 1 : 0;
      }
      System.out.printf("lowered from 8 to 2 in 800 ms: %d in the 2400 ms after it%n", admitted);
      assertThat(admitted).isGreaterThan(8);
    } finally {
      client.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  private record Figures(double trips, double commands, double micros) {}

  private static Figures measure(
      AsyncLimitStore store, RateAlgorithm limit, int times, Class<? extends Verdict> expected) {
    long trips = server.callsOf("evalsha") + server.callsOf("eval");
    long commands = commands();
    long cpu = cpuMicros();
    for (int i = 0; i < times; i++) {
      decide(store, limit, CALLERS).forEach(one -> assertThat(one).isInstanceOf(expected));
    }
    double decisions = (double) times * CALLERS;
    return new Figures(
        (server.callsOf("evalsha") + server.callsOf("eval") - trips) / decisions,
        (commands() - commands) / decisions,
        (cpuMicros() - cpu) / decisions);
  }

  private static List<Verdict> decide(AsyncLimitStore store, RateAlgorithm limit, int callers) {
    List<CompletableFuture<Verdict>> answers = new ArrayList<>();
    for (int caller = 0; caller < callers; caller++) {
      String key = String.format(Locale.ROOT, "library:2:{%022d}:search:1h:sl", caller);
      answers.add(store.decideAsync(List.of(new KeyedLimit(key, limit)), 1).toCompletableFuture());
    }
    return answers.stream().map(answer -> answer.orTimeout(60, TimeUnit.SECONDS).join()).toList();
  }

  private static AsyncLimitStore store(String engine) {
    RedisOptions options = RedisOptions.at(server.address()).within(Duration.ofSeconds(10));
    if (engine.equals("script")) {
      RedisLimitStore store = new RedisLimitStore(options.saving(Trips.oneForEach()));
      assertThat(store.awaitReady(Duration.ofSeconds(10))).isTrue();
      return store;
    }
    RateLimiterStore store = new RateLimiterStore(options);
    assertThat(store.awaitReady(Duration.ofSeconds(10))).isTrue();
    return store;
  }

  /** All that scripts have called, too. */
  private static long commands() {
    return figures("commandstats", "cmdstat_", Function.identity())
        .filter(line -> !NOT_OF_A_DECISION.contains(line.replaceAll("[:|].*", "")))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=([0-9]+),.*", "$1")))
        .sum();
  }

  private static long usedMemory() {
    return figures("memory", "used_memory:", Long::parseLong).mapToLong(Long::longValue).sum();
  }

  private static long cpuMicros() {
    return Stream.of("used_cpu_user:", "used_cpu_sys:")
        .flatMap(start -> figures("cpu", start, Double::parseDouble))
        .mapToLong(seconds -> (long) (seconds * 1e6))
        .sum();
  }

  private static <T> Stream<T> figures(String section, String start, Function<String, T> reading) {
    return server
        .command("INFO", section)
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> reading.apply(line.substring(start.length()).strip()));
  }
}
