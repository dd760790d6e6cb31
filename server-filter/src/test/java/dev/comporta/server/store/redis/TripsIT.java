package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.GuardedStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnStoreFailure;
import dev.comporta.server.store.TripCounts;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How often Redis is asked, by what it says itself. */
class TripsIT {

  private static final long HOUR = 3_600_000_000L;
  private static final int THREADS = 64;
  private static final int DECISIONS_OF_A_THREAD = 500;

  private static RedisServerProcess server;

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void loneDecisionIsOneTrip() {
    try (WaitingStore node = node(Trips.defaults())) {
      Count before = Count.of(server);

      for (int i = 0; i < 200; i++) {
        node.decide(limits("alone"), 1);
      }
      Count trips = Count.of(server).since(before);

      assertThat(trips.calls()).isEqualTo(200);
      assertThat(node.store().tripCounts()).isEqualTo(new TripCounts(201, 201, 0, 0));
      assertThat(trips.reads()).isBetween(200.0, 220.0);
    }
  }

  @Test
  void decisionsOf64ThreadsShareTheirTrips() throws InterruptedException, ExecutionException {
    try (WaitingStore node = node(Trips.defaults())) {
      Count before = Count.of(server);

      long nanos = askFromAllThreads(node);
      Count trips = Count.of(server).since(before);

      double decisions = THREADS * DECISIONS_OF_A_THREAD;
      System.out.println("shared: " + trips.perDecision(decisions, nanos));
      assertThat(trips.calls() / decisions).isLessThanOrEqualTo(0.06);
      assertThat(trips.reads() / decisions).isLessThanOrEqualTo(0.06);
    }
  }

  @Test
  void withoutFlightsEachDecisionOf64ThreadsIsATrip()
      throws InterruptedException, ExecutionException {
    try (WaitingStore node = node(Trips.oneForEach())) {
      Count before = Count.of(server);

      long nanos = askFromAllThreads(node);
      Count trips = Count.of(server).since(before);

      double decisions = THREADS * DECISIONS_OF_A_THREAD;
      System.out.println("one for each: " + trips.perDecision(decisions, nanos));
      assertThat(trips.calls()).isEqualTo(decisions);
    }
  }

  @Test
  void hotRefusedCallerCostsHardlyATrip() {
    try (RedisLimitStore node = open(Trips.defaults());
        GuardedStore guarded =
            new GuardedStore(
                node,
                new MemoryLimitStore(10, MicrosClock.system()),
                new GuardOptions(
                    Duration.ofSeconds(10), OnStoreFailure.DENY, 100, Duration.ofSeconds(1)))) {
      List<KeyedLimit> limits = limits("hot");
      guarded.decide(limits, 1_000);
      Count before = Count.of(server);

      int decisions = 200_000;
      long start = System.nanoTime();
      for (int i = 0; i < decisions; i++) {
        Verdict.Refused refused = (Verdict.Refused) guarded.decide(limits, 1);
        assertThat(refused.standings().get(1).remaining()).isZero();
        assertThat(refused.retryAfterMicros()).isBetween(1L, HOUR);
      }
      Count trips = Count.of(server).since(before);

      System.out.println("refused: " + trips.perDecision(decisions, System.nanoTime() - start));
      assertThat(trips.calls() / decisions).isLessThanOrEqualTo(0.001);
      assertThat(trips.reads() / decisions).isLessThanOrEqualTo(0.001);
    }
  }

  @Test
  void whatThisNodeGivesBackIsNotRefusedFromMemory() {
    try (WaitingStore node = node(Trips.defaults())) {
      List<KeyedLimit> limits = limits("given");
      node.decide(limits, 1_000);
      node.decide(limits, 1);
      assertThat(node.store().decideAtOnce(limits, 1)).isPresent();

      node.grant(limits, 1);

      assertThat(node.store().decideAtOnce(limits, 1)).isEmpty();
      assertThat(node.decide(limits, 1)).isInstanceOf(Verdict.Admitted.class);
      assertThat(node.decide(limits, 1)).isInstanceOf(Verdict.Refused.class);
      node.reset(limits);
      assertThat(node.store().decideAtOnce(limits, 1)).isEmpty();
      assertThat(node.decide(limits, 1_000)).isInstanceOf(Verdict.Admitted.class);
    }
  }

  private static long askFromAllThreads(WaitingStore node)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<Long>> admitted = new ArrayList<>();
    long start = System.nanoTime();
    for (int t = 0; t < THREADS; t++) {
      List<KeyedLimit> limits = limits("caller-" + t);
      admitted.add(
          pool.submit(
              () ->
                  IntStream.range(0, DECISIONS_OF_A_THREAD)
                      .mapToObj(i -> node.decide(limits, 1))
                      .filter(Verdict.Admitted.class::isInstance)
                      .count()));
    }
    for (Future<Long> each : admitted) {
      assertThat(each.get()).isEqualTo(DECISIONS_OF_A_THREAD);
    }
    long nanos = System.nanoTime() - start;
    pool.shutdown();
    return nanos;
  }

  private static List<KeyedLimit> limits(String caller) {
    String key = "{" + caller + "-" + System.nanoTime() + "}";
    return List.of(
        new KeyedLimit(key + ":tb", new TokenBucket(1_000, HOUR, 1_000)),
        new KeyedLimit(key + ":sw", new SlidingWindowCounter(1_000, HOUR)));
  }

  private static WaitingStore node(Trips trips) {
    WaitingStore waiting = new WaitingStore(open(trips));
    waiting.decide(limits("first"), 1);
    return waiting;
  }

  private static RedisLimitStore open(Trips trips) {
    RedisLimitStore node =
        new RedisLimitStore(
            RedisOptions.at(server.address()).within(Duration.ofSeconds(10)).saving(trips));
    assertThat(node.awaitReady(Duration.ofSeconds(10))).isTrue();
    return node;
  }

  /** What Redis has counted. */
  private record Count(double calls, double reads, double bytesIn, double cpuSeconds) {

    static Count of(RedisServerProcess server) {
      return new Count(
          server.callsOf("eval") + server.callsOf("evalsha"),
          server.figure("total_reads_processed"),
          server.figure("total_net_input_bytes"),
          server.figure("used_cpu_user") + server.figure("used_cpu_sys"));
    }

    Count since(Count before) {
      return new Count(
          calls - before.calls,
          reads - before.reads,
          bytesIn - before.bytesIn,
          cpuSeconds - before.cpuSeconds);
    }

    /** For the reader of the log; of these, tests rely on calls and reads alone. */
    String perDecision(double decisions, long nanos) {
      return String.format(
          "%.0f decisions/s; for each %.4f calls, %.4f reads, %.0f bytes sent, %.1f µs of Redis",
          decisions * 1e9 / nanos,
          calls / decisions,
          reads / decisions,
          bytesIn / decisions,
          cpuSeconds * 1e6 / decisions);
    }
  }
}
