package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.sim.Behaviour;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.http.Dialect;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real client against the real algorithms and headers, in virtual time. Two seeds and wide
 * margins; {@link PacingTableTest} has the figures.
 */
class ClosedLoopSimulationTest {

  private static final int SEEDS = 2;
  private static final List<Dialect> TOLD = List.of(Dialect.LEGACY, Dialect.IETF);
  private static final List<Dialect> TOLD_MORE = List.of(Dialect.values());

  static Stream<Arguments> scenes() {
    return PacingScene.perSecond().stream()
        .flatMap(scene -> Stream.of(Algorithm.values()).map(each -> Arguments.of(scene, each)));
  }

  @ParameterizedTest
  @MethodSource("scenes")
  void aPacedClientUsesTheQuotaAndIsHardlyRefused(PacingScene scene, Algorithm algorithm) {
    PacingScene.Figures figures = scene.mean(algorithm, TOLD_MORE, Behaviour.WRAPPED, SEEDS);

    double least = scene.name().equals("uncontrolled consumer") ? 70 : 88;
    assertThat(figures.goodputPercent()).as("goodput: %s", figures).isGreaterThan(least);
    assertThat(figures.refusedPercent()).as("refused: %s", figures).isLessThan(1);
    assertThat(figures.jain()).as("fairness: %s", figures).isGreaterThan(0.6);
    assertThat(figures.failedCalls()).as("failed: %s", figures).isZero();
  }

  @Test
  void clientsOfALogOfAMinuteShareItWholeAndEqually() {
    for (PacingScene scene : PacingScene.perMinute()) {
      if (scene.name().endsWith("clients")) {
        PacingScene.Figures figures =
            scene.mean(Algorithm.SLIDING_WINDOW_LOG, TOLD_MORE, Behaviour.WRAPPED, SEEDS);

        assertThat(figures.goodputPercent()).as("%s: %s", scene, figures).isGreaterThan(94);
        assertThat(figures.refusedPercent()).as("%s: %s", scene, figures).isLessThan(0.3);
        assertThat(figures.jain()).as("%s: %s", scene, figures).isGreaterThan(0.9);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenes")
  void aPacedClientIsHardlyRefusedThoughItIsNotToldHowRequestsAreCounted(
      PacingScene scene, Algorithm algorithm) {
    PacingScene.Figures figures = scene.mean(algorithm, TOLD, Behaviour.WRAPPED, SEEDS);

    assertThat(figures.refusedPercent()).as("refused: %s", figures).isLessThan(3);
  }

  @ParameterizedTest
  @MethodSource("scenes")
  void aClientWithoutPacingIsRefused(PacingScene scene, Algorithm algorithm) {
    PacingScene.Figures figures = scene.mean(algorithm, TOLD, Behaviour.NAIVE, 1);

    boolean isSaturating = scene.workload().offeredPerSecond().isEmpty();
    assertThat(figures.refusedPercent()).as("%s", figures).isGreaterThan(isSaturating ? 10 : -1);
  }
}
