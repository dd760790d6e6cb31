package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.GuardedStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnStoreFailure;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * 4 nodes of 16 threads each, with leases, on one caller who has 1000 per 10 s; their clocks are 10
 * minutes apart.
 */
class LeaseManyNodesIT {

  private static final int NODES = 4;
  private static final int THREADS_OF_A_NODE = 16;
  private static final int DECISIONS_OF_A_THREAD = 60;
  private static final long FIVE_MINUTES = 300_000_000L;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static RedisServerProcess server;

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /**
   * Instants of one admission: of the debit by the clock of Redis, and of the use by this one's.
   */
  private record Admission(long debitedMicros, long usedMicros) {}

  /** By a bucket of 1000 per 10 s that holds 1000, and by a strict window. */
  @ParameterizedTest
  @CsvSource({"0, 10, 2000", "0, 50, 2000", "2, 10, 1000", "2, 50, 1000"})
  void admitTogetherNoMoreThanTheLimitAndLessThanALeaseOfEachNode(int number, int lease, int bound)
      throws InterruptedException, ExecutionException {
    server.command("FLUSHALL");
    List<GuardedStore> nodes = IntStream.range(0, NODES).mapToObj(this::node).toList();
    ExecutorService pool = Executors.newFixedThreadPool(NODES * THREADS_OF_A_NODE);
    List<Future<List<Admission>>> parts = new ArrayList<>();

    for (int i = 0; i < NODES; i++) {
      GuardedStore node = nodes.get(i);
      List<KeyedLimit> limits = OneCallerNode.limits("leases", number, i);
      for (int t = 0; t < THREADS_OF_A_NODE; t++) {
        parts.add(pool.submit(() -> admissions(node, limits, lease)));
      }
    }
    List<Admission> admitted = new ArrayList<>();
    for (Future<List<Admission>> part : parts) {
      admitted.addAll(part.get());
    }
    pool.shutdown();
    long leased = nodes.stream().mapToLong(node -> node.tripCounts().leased()).sum();
    nodes.forEach(GuardedStore::close);

    long withheld = NODES * (lease - 1L);
    System.out.println("leases of " + lease + ": " + leased + " of " + admitted.size());
    assertThat(leased).isGreaterThan(100);
    assertThat(most(admitted, Admission::debitedMicros)).isLessThanOrEqualTo(bound);
    assertThat(most(admitted, Admission::usedMicros)).isLessThanOrEqualTo(bound + withheld);
    assertThat((long) admitted.size()).isGreaterThanOrEqualTo(OneCallerNode.LIMIT - withheld);
  }

  /* The most that begin in any 10 s; each of these is as bad as one that begins with an admission. */
  private static long most(List<Admission> admitted, ToLongFunction<Admission> instant) {
    long[] sorted = admitted.stream().mapToLong(instant).sorted().toArray();
    int most = 0;
    int last = 0;
    for (int first = 0; first < sorted.length; first++) {
      while (last < sorted.length && sorted[last] < sorted[first] + OneCallerNode.TEN_SECONDS) {
        last++;
      }
      most = Math.max(most, last - first);
    }
    return most;
  }

  private static List<Admission> admissions(GuardedStore node, List<KeyedLimit> limits, int lease) {
    List<Admission> admitted = new ArrayList<>();
    for (int i = 0; i < DECISIONS_OF_A_THREAD; i++) {
      if (node.decide(limits, 1, lease) instanceof Verdict.Admitted verdict) {
        admitted.add(new Admission(verdict.nowMicros(), System.nanoTime() / 1_000));
      }
    }
    return admitted;
  }

  private GuardedStore node(int number) {
    MicrosClock right = MicrosClock.system();
    long offsetMicros = number % 2 == 0 ? FIVE_MINUTES : -FIVE_MINUTES;
    RedisLimitStore redis =
        RedisLimitStore.withNodeClock(
            RedisOptions.at(server.address()).within(PATIENCE),
            () -> right.nowMicros() + offsetMicros);
    assertThat(redis.awaitReady(PATIENCE)).isTrue();
    return new GuardedStore(
        redis,
        new MemoryLimitStore(10, right),
        new GuardOptions(PATIENCE, OnStoreFailure.DENY, 100, Duration.ofSeconds(1)));
  }
}
