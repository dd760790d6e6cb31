package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 4 nodes of 16 threads each on one caller who has 1000 per 10 s; their clocks are up to 10 minutes
 * apart, and each has the limits in another order.
 */
class OneCallerManyNodesIT {

  private static final int NODES = 4;
  private static final int BUCKET = 0;
  private static final int DECISIONS_OF_A_THREAD = 60;
  private static final long FIVE_MINUTES = 300_000_000L;

  private static RedisServerProcess server;

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @BeforeEach
  void forgetAll() {
    server.command("FLUSHALL");
  }

  @ParameterizedTest
  @CsvSource({
    "0, true, 0", "0, false, 0", "0, true, 10", "0, false, 10",
    "1, true, 0", "1, false, 0", "1, true, 10", "1, false, 10",
    "2, true, 0", "2, false, 0", "2, true, 10", "2, false, 10"
  })
  void admitTogetherExactlyTheLimit(int number, boolean isCoalescing, int refusalSeconds) {
    Trips trips = new Trips(isCoalescing, Duration.ofSeconds(refusalSeconds), Duration.ZERO);
    List<OneCallerNode> nodes =
        IntStream.range(0, NODES)
            .mapToObj(
                i ->
                    new OneCallerNode(
                        server.address(),
                        offsetMicros(i),
                        trips,
                        OneCallerNode.limits("nodes", number, i)))
            .toList();
    List<List<Long>> parts = Collections.synchronizedList(new ArrayList<>());

    List<Thread> running =
        nodes.stream()
            .map(node -> new Thread(() -> parts.add(node.admissions(DECISIONS_OF_A_THREAD))))
            .toList();
    running.forEach(Thread::start);
    RedisServerProcess.await(
        "all nodes have asked", () -> running.stream().noneMatch(Thread::isAlive));
    nodes.forEach(OneCallerNode::close);

    assertThat(parts).hasSize(NODES);
    assertExact(number, "nodes", parts.stream().flatMap(List::stream).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {BUCKET, 2})
  void asProcessesAdmitTogetherExactlyTheLimit(int number) throws IOException {
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        processes.add(started(number, i));
      }
      List<BufferedReader> readers =
          processes.stream().map(each -> each.inputReader(StandardCharsets.UTF_8)).toList();
      for (BufferedReader reader : readers) {
        assertThat(reader.readLine()).isEqualTo("ready");
      }
      for (Process process : processes) {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      }
      List<Long> admitted = new ArrayList<>();
      for (BufferedReader reader : readers) {
        Stream.of(reader.readLine().split(" ", -1))
            .filter(word -> !word.isEmpty())
            .map(Long::valueOf)
            .forEach(admitted::add);
      }

      assertExact(number, "processes", admitted);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /* Counted by the clock of Redis, so that a slow machine changes nothing. */
  private static void assertExact(int number, String caller, List<Long> admitted) {
    long first = Collections.min(admitted);
    if (number == BUCKET) {
      assertIsThatOfOneBucket(caller, admitted);
    } else {
      assertThat(admitted.stream().filter(at -> at < first + OneCallerNode.TEN_SECONDS).count())
          .isEqualTo(OneCallerNode.LIMIT);
    }
  }

  /** One bucket in Java admits all of them at their instants, and has as much left afterwards. */
  private static void assertIsThatOfOneBucket(String caller, List<Long> admitted) {
    List<KeyedLimit> limits = OneCallerNode.limits(caller, BUCKET, 0);
    RateAlgorithm bucket = limits.get(0).limit();
    long[] state = bucket.newState();
    for (long at : admitted.stream().sorted().toList()) {
      assertThat(bucket.decide(state, 1, at)).isEqualTo(Decision.ALLOWED);
      state = bucket.charge(state, 1, at);
    }
    try (WaitingStore store =
        new WaitingStore(
            new RedisLimitStore(
                RedisOptions.at(server.address()).within(Duration.ofSeconds(10))))) {
      Standings now = store.peek(limits);

      assertThat(admitted).hasSizeGreaterThanOrEqualTo(OneCallerNode.LIMIT);
      assertThat(now.standings()).containsExactly(bucket.standing(state, now.nowMicros()));
    }
  }

  private static long offsetMicros(int node) {
    return node % 2 == 0 ? FIVE_MINUTES : -FIVE_MINUTES;
  }

  private static Process started(int number, int node) throws IOException {
    List<String> words =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            OneCallerNode.class.getName(),
            server.address(),
            Long.toString(offsetMicros(node)),
            Integer.toString(number),
            Integer.toString(node),
            Integer.toString(DECISIONS_OF_A_THREAD));
    return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }
}
