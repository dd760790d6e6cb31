package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.policy.LimitSpec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of faults in counting that were reported of other limiters. */
class FaultsOfOthersInCountingTest {

  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;

  /** A whole minute and a whole day. */
  private static final long START = 20_834 * 24 * 60 * MINUTE;

  static Stream<LimitSpec> limits() {
    return Limits.all();
  }

  private static RateAlgorithm of(String text) {
    return RateAlgorithm.of(LimitSpec.parse(text));
  }

  // S07, S27, S28, S29: the first call passes more than the rate, or is told a wait that cannot
  // help
  @ParameterizedTest
  @MethodSource("limits")
  void moreThanTheLimitAtOnceNeverPassesAndTakesNothing(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long[] state = algorithm.newState();

    assertThat(algorithm.decide(state, limit.maxCost() + 1, START)).isEqualTo(Decision.IMPOSSIBLE);
    assertThat(algorithm.standing(state, START))
        .isEqualTo(new Standing(limit.maxCost(), limit.maxCost(), 0, 0));
  }

  // S31, S34: a debt is not forgiven by asking, and permits come back at 0
  @ParameterizedTest
  @MethodSource("limits")
  void refundWorksAtZeroAndNeverGivesMoreThanTheLimit(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long[] state = algorithm.charge(algorithm.newState(), limit.maxCost(), START);

    state = algorithm.refund(state, 1, START, START);
    long one = algorithm.standing(state, START).remaining();
    state = algorithm.refund(state, Long.MAX_VALUE, START, START);
    state = algorithm.refund(state, Long.MAX_VALUE, START, START);

    assertThat(one).isEqualTo(1);
    assertThat(algorithm.standing(state, START).remaining()).isEqualTo(limit.maxCost());
  }

  // S41: the wait for a weighted window that is 48 s instead of 1 s
  @Test
  void weightedWindowWaitsForOnePermitAndNotForItsEnd() {
    RateAlgorithm window = of("60/1m;algorithm=sliding-window-counter");
    long[] state = window.charge(window.newState(), 60, START);
    state = window.charge(state, 12, START + 72 * SECOND);

    assertThat(window.decide(state, 1, START + 72 * SECOND)).isEqualTo(new Decision.Denied(SECOND));
  }

  // S45: 60 s wherever one is in the window
  @ParameterizedTest
  @CsvSource({
    "60/1m;algorithm=fixed-window, 0, 60",
    "60/1m;algorithm=fixed-window, 47, 13",
    "60/1m;algorithm=fixed-window, 59, 1",
    "60/1m, 0, 60",
    "60/1m, 47, 13",
    "60/1m, 59, 1"
  })
  void waitIsWhatIsLeftAndNotTheWholeWindow(String text, long passed, long left) {
    RateAlgorithm algorithm = of(text);
    long[] state = algorithm.charge(algorithm.newState(), 60, START);

    assertThat(algorithm.decide(state, 60, START + passed * SECOND))
        .isEqualTo(new Decision.Denied(left * SECOND));
  }

  // S46: no wait is told by a window of segments
  @Test
  void segmentsAreWalkedUntilEnoughIsFree() {
    RateAlgorithm window = of("10/1m;algorithm=sliding-window-counter;segments=4;estimate=strict");
    long[] state = window.charge(window.newState(), 4, START);
    state = window.charge(state, 6, START + 20 * SECOND);

    assertThat(window.decide(state, 4, START + 30 * SECOND))
        .isEqualTo(new Decision.Denied(30 * SECOND));
    assertThat(window.decide(state, 5, START + 30 * SECOND))
        .isEqualTo(new Decision.Denied(50 * SECOND));
  }

  // S48: the newest entry is waited for instead of the oldest
  @Test
  void logWaitsForItsOldestEntry() {
    RateAlgorithm log = of("2/1m;algorithm=sliding-window-log");
    long[] state = log.charge(log.newState(), 1, START);
    state = log.charge(state, 1, START + 10 * SECOND);

    assertThat(log.decide(state, 1, START + 20 * SECOND))
        .isEqualTo(new Decision.Denied(40 * SECOND));
  }

  // S49: the part of a permit that has come back is ignored
  @Test
  void partOfAPermitShortensTheWait() {
    RateAlgorithm bucket = of("1/1s");
    long[] state = bucket.charge(bucket.newState(), 1, START);

    assertThat(bucket.decide(state, 1, START + 200_000)).isEqualTo(new Decision.Denied(800_000));
  }

  // S51: reset is 0 once nothing remains. S53: the first answer of limit 5 says 5
  @ParameterizedTest
  @ValueSource(
      strings = {
        "5/1m",
        "5/1m;algorithm=sliding-window-counter",
        "5/1m;algorithm=sliding-window-log",
        "5/1m;algorithm=fixed-window",
        "5/day"
      })
  void firstAnswerSaysFourAndTheLastHasAReset(String text) {
    RateAlgorithm algorithm = of(text);
    long[] state = algorithm.charge(algorithm.newState(), 1, START);
    long first = algorithm.standing(state, START).remaining();
    state = algorithm.charge(state, 4, START);

    assertThat(first).isEqualTo(4);
    assertThat(algorithm.standing(state, START).resetAfterMicros()).isPositive();
    assertThat(algorithm.standing(state, START).nextAfterMicros()).isPositive();
  }

  // S97: rates below one per second, and windows that are no unit
  @ParameterizedTest
  @CsvSource({"1/10s, 10000000", "5/1m, 12000000", "7/90m, 771428572", "1/400d, 34560000000000"})
  void anyCountPerAnyDurationIsExact(String text, long untilTheNextMicros) {
    RateAlgorithm bucket = of(text);
    long[] state = bucket.charge(bucket.newState(), bucket.limit(), START);

    assertThat(bucket.decide(state, 1, START)).isEqualTo(new Decision.Denied(untilTheNextMicros));
  }
}
