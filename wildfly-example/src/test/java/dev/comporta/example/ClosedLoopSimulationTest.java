package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.sim.Behaviour;
import dev.comporta.client.sim.SimulatedServer;
import dev.comporta.client.sim.Simulation;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.http.Dialect;
import dev.comporta.server.policy.LimitSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real client against the real algorithms and headers, in virtual time: eight threads that
 * always want to send, and a network that takes 5 to 40 ms each way.
 */
class ClosedLoopSimulationTest {

  private static final Duration LENGTH = Duration.ofSeconds(60);
  private static final long GREEDY_STEP_MICROS = 500;
  private static final int SEEDS = 10;

  record Scene(LimitSpec limit, List<Dialect> dialects) {

    Supplier<SimulatedServer> server() {
      return () -> new FilteredServer(List.of(limit), dialects);
    }

    @Override
    public String toString() {
      return limit + " " + limit.algorithm() + " " + dialects;
    }
  }

  static Stream<Scene> scenes() {
    return Stream.of(Algorithm.values())
        .map(algorithm -> LimitSpec.parse("100/2s", algorithm))
        .flatMap(
            limit ->
                Stream.of(List.of(Dialect.LEGACY, Dialect.IETF), List.of(Dialect.IETF))
                    .map(dialects -> new Scene(limit, dialects)));
  }

  @ParameterizedTest
  @MethodSource("scenes")
  void wrappedClientIsAnsweredEveryTimeAndUsesItsQuota(Scene scene) {
    long greedy = Simulation.greedy(scene.server(), LENGTH, GREEDY_STEP_MICROS);
    for (long seed = 1; seed <= SEEDS; seed++) {
      Simulation.Result wrapped =
          Simulation.run(scene.server(), Behaviour.WRAPPED, 1, LENGTH, seed);
      Simulation.Result naive = Simulation.run(scene.server(), Behaviour.NAIVE, 1, LENGTH, seed);
      print(scene + " seed " + seed + " wrapped", wrapped, greedy);
      print(scene + " seed " + seed + " unwrapped", naive, greedy);

      String name = scene + " seed " + seed;
      assertThat(wrapped.failed()).as(name + ": calls not answered 200").isZero();
      assertThat(wrapped.refusedPercent()).as(name + ": % refused").isLessThanOrEqualTo(1.0);
      assertThat(100.0 * wrapped.admitted() / greedy)
          .as(name + ": goodput, %% of a greedy sender")
          .isGreaterThanOrEqualTo(90.0);
      assertThat(naive.refusedPercent()).as(name + ": unwrapped").isGreaterThan(10.0);
    }
  }

  private static void print(String name, Simulation.Result result, long greedy) {
    System.out.printf(
        Locale.ROOT,
        "%-75s goodput %5.1f %%, refused %5.2f %%, calls failed %d%n",
        name,
        100.0 * result.admitted() / greedy,
        result.refusedPercent(),
        result.failed());
  }
}
