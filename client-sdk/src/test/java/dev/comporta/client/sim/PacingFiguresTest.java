package dev.comporta.client.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.sim.NaiveServer.Dialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the real pacer reaches in virtual time, against what a sender that knows all would get. */
class PacingFiguresTest {

  private static final long SECOND = 1_000_000;

  /** Seeds that nothing was tuned on. */
  private static final long FIRST_SEED = 11;

  private static final long LAST_SEED = 15;
  private static final Map<String, Long> GREEDY = new ConcurrentHashMap<>();

  /** Makes a limit of which nothing is used. */
  private interface NewLimit {
    NaiveLimit get();
  }

  /** A server, the time for which it is called, and what one wrapped client has to reach. */
  private record Scene(
      String name,
      Supplier<SimulatedServer> server,
      Duration length,
      double leastGoodput,
      double mostRefused) {

    double goodput(Outcome result) {
      long greedy =
          GREEDY.computeIfAbsent(
              name, n -> Simulation.greedy(server, Duration.ZERO, length, 2_000));
      return 100.0 * result.admitted() / greedy;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Scene> scenes() {
    return Stream.of(
        scene("bucket 100/2s", 60, 95, 0.1, bucket(100, 2)),
        scene("counter 100/2s", 60, 95, 0.1, counter(100, 2)),
        scene("bucket 100/1s", 30, 95, 0.1, bucket(100, 1)),
        scene("counter 100/1s", 30, 90, 0.3, counter(100, 1)),
        scene("fixed window 100/2s", 60, 90, 1, fixedWindow(100, 2)),
        scene("fixed window 100/1s", 30, 80, 0.5, fixedWindow(100, 1)),
        scene("bucket 600/60s", 900, 98, 0.1, bucket(600, 60)),
        scene("counter 600/60s", 900, 98, 0.1, counter(600, 60)),
        scene("bucket 10/1s + 300/60s", 900, 95, 0.1, bucket(10, 1), bucket(300, 60)),
        scene("counter 10/1s + 300/60s", 900, 95, 0.3, counter(10, 1), counter(300, 60)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenes")
  void oneClientUsesTheQuotaAndIsNotRefused(Scene scene) {
    for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
      Outcome result =
          Simulation.run(
              scene.server(),
              Behaviour.WRAPPED,
              Workload.saturating(1, Duration.ZERO, scene.length()),
              seed);

      assertThat(result.failed()).as("failed calls, seed %d", seed).isZero();
      assertThat(result.refusedPercent())
          .as("percent refused, seed %d", seed)
          .isLessThanOrEqualTo(scene.mostRefused());
      assertThat(scene.goodput(result))
          .as("goodput, seed %d", seed)
          .isGreaterThanOrEqualTo(scene.leastGoodput());
    }
  }

  @Test
  void eightClientsShareAQuotaWithoutCollapse() {
    for (Scene scene : scenes().limit(6).toList()) {
      for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
        Outcome result =
            Simulation.run(
                scene.server(),
                Behaviour.WRAPPED,
                Workload.saturating(8, Duration.ZERO, scene.length()),
                seed);

        assertThat(result.refusedPercent())
            .as("percent refused, %s, seed %d", scene, seed)
            .isLessThan(3);
        assertThat(scene.goodput(result)).as("goodput, %s, seed %d", scene, seed).isGreaterThan(80);
      }
    }
  }

  @Test
  void whatOthersSpentBeforeIsNotTakenForCompany() {
    for (NewLimit limit : List.of(bucket(300, 60), counter(300, 60))) {
      Duration length = Duration.ofMinutes(2);
      Supplier<SimulatedServer> drained = () -> drained(limit, 120);
      long greedy = Simulation.greedy(drained, Duration.ZERO, length, 2_000);
      for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
        Outcome result =
            Simulation.run(
                drained, Behaviour.WRAPPED, Workload.saturating(1, Duration.ZERO, length), seed);

        assertThat(result.failed()).as("failed calls, seed %d", seed).isZero();
        assertThat(result.refusedPercent()).as("percent refused, seed %d", seed).isLessThan(1);
        assertThat(100.0 * result.admitted() / greedy)
            .as("goodput, seed %d", seed)
            .isGreaterThanOrEqualTo(90);
      }
    }
  }

  @Test
  void serversThatTellNoWindowLengthArePacedToo() {
    for (NewLimit limit : List.of(bucket(100, 2), counter(100, 2))) {
      Duration length = Duration.ofMinutes(1);
      Supplier<SimulatedServer> server =
          () -> new NaiveServer(List.of(limit.get()), Dialect.LEGACY);
      long greedy = Simulation.greedy(server, Duration.ZERO, length, 2_000);
      for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
        Outcome result =
            Simulation.run(
                server, Behaviour.WRAPPED, Workload.saturating(1, Duration.ZERO, length), seed);

        assertThat(result.failed()).as("failed calls, seed %d", seed).isZero();
        assertThat(result.refusedPercent()).as("percent refused, seed %d", seed).isLessThan(1);
        assertThat(100.0 * result.admitted() / greedy)
            .as("goodput, seed %d", seed)
            .isGreaterThanOrEqualTo(85);
      }
    }
  }

  @Test
  void sameSeedGivesTheSameRun() {
    Scene scene = scenes().findFirst().orElseThrow();

    Outcome first =
        Simulation.run(
            scene.server(),
            Behaviour.WRAPPED,
            Workload.saturating(8, Duration.ZERO, scene.length()),
            7);
    Outcome second =
        Simulation.run(
            scene.server(),
            Behaviour.WRAPPED,
            Workload.saturating(8, Duration.ZERO, scene.length()),
            7);

    assertThat(first).isEqualTo(second);
  }

  @Test
  void wrappedIsRefusedLessThanNaiveAndThanRetryAfterOnly() {
    List<String> table = new ArrayList<>();
    for (Scene scene : scenes().limit(6).toList()) {
      for (Behaviour behaviour : Behaviour.values()) {
        Outcome result =
            Simulation.run(
                scene.server(),
                behaviour,
                Workload.saturating(1, Duration.ZERO, scene.length()),
                1);
        table.add(
            String.format(
                Locale.ROOT,
                "%-16s %-17s goodput %5.1f %%  refused %5.2f %%  failed calls %d",
                scene,
                behaviour,
                scene.goodput(result),
                result.refusedPercent(),
                result.failed()));
        if (behaviour == Behaviour.NAIVE || behaviour == Behaviour.RETRY_AFTER_ONLY) {
          assertThat(result.refusedPercent()).as(scene.name()).isGreaterThan(1);
        }
      }
    }
    System.out.println(String.join(System.lineSeparator(), table));
  }

  private static Scene scene(
      String name, long seconds, double leastGoodput, double mostRefused, NewLimit... limits) {
    List<NewLimit> all = List.of(limits);
    return new Scene(
        name,
        () -> new NaiveServer(all.stream().map(NewLimit::get).toList(), Dialect.IETF),
        Duration.ofSeconds(seconds),
        leastGoodput,
        mostRefused);
  }

  /** A server from which somebody has taken that many before the time begins. */
  private static SimulatedServer drained(NewLimit limit, int taken) {
    NaiveServer server = new NaiveServer(List.of(limit.get()), Dialect.IETF);
    for (int i = 0; i < taken; i++) {
      server.handle(0);
    }
    return server;
  }

  private static NewLimit bucket(long limit, long seconds) {
    return () -> new NaiveTokenBucket(limit, seconds * SECOND);
  }

  private static NewLimit fixedWindow(long limit, long seconds) {
    return () -> new NaiveFixedWindow(limit, seconds * SECOND, seconds * SECOND / 3);
  }

  private static NewLimit counter(long limit, long seconds) {
    return () -> new NaiveWindowCounter(limit, seconds * SECOND, seconds * SECOND / 3);
  }
}
