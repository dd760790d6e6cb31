package dev.comporta.client.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the real pacer reaches on window logs whose permits come back seconds apart. */
class WindowLogFiguresTest {

  private static final long FIRST_SEED = 11;
  private static final long LAST_SEED = 13;

  /** A permit is refused once, when it comes back later than was told; more would be a habit. */
  @ParameterizedTest
  @CsvSource({
    "20, 60, 3, 95",
    "5, 60, 5, 90",
    "100, 3600, 1, 97",
    "600, 3600, 1, 97",
    "600, 60, 0.1, 98",
  })
  void oneClientWaitsForPermitsThatComeBackSlowly(
      long limit, long windowSeconds, double mostRefused, double leastGoodput) {
    for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
      Outcome result = run(limit, windowSeconds, 1, 18, seed);

      assertThat(result.refusedPercent())
          .as("percent refused, seed %d", seed)
          .isLessThanOrEqualTo(mostRefused);
      assertThat(100.0 * result.admitted() / (16 * limit))
          .as("goodput, seed %d", seed)
          .isGreaterThanOrEqualTo(leastGoodput);
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 60", "100, 3600", "600, 3600"})
  void twoClientsUseMostOfAWindowHoweverLongItIs(long limit, long windowSeconds) {
    for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
      Outcome result = run(limit, windowSeconds, 2, 18, seed);

      assertThat(100.0 * result.admitted() / (16 * limit))
          .as("goodput, seed %d", seed)
          .isGreaterThanOrEqualTo(85);
      assertThat(result.refusedPercent()).as("percent refused, seed %d", seed).isLessThan(3);
    }
  }

  private static Outcome run(long limit, long windowSeconds, int clients, int windows, long seed) {
    Supplier<SimulatedServer> server = () -> new NaiveWindowLog(limit, windowSeconds * 1_000_000);
    return Simulation.run(
        server,
        Behaviour.WRAPPED,
        Workload.saturating(
            clients,
            Duration.ofSeconds(2 * windowSeconds),
            Duration.ofSeconds(windows * windowSeconds)),
        seed);
  }
}
