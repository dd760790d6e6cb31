package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.CalendarWindow;
import dev.comporta.server.policy.LimitSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of a decision, for every algorithm, over seeded traces against a naive oracle. */
class AlgorithmLawsTest {

  static Stream<LimitSpec> limits() {
    return Limits.all();
  }

  static Stream<LimitSpec> spans() {
    return Limits.all().filter(limit -> !(limit.limitWindow() instanceof CalendarWindow));
  }

  static Stream<LimitSpec> counters() {
    return Limits.counters();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void admitsExactlyWhatTheOracleAdmits(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    Trace.of(limit)
        .forEach(
            trace -> {
              Oracle oracle = Oracle.of(limit);
              long[] state = algorithm.newState();
              for (int i = 0; i < Trace.STEPS; i++) {
                long now = trace.step();
                long cost = trace.cost();
                boolean isAllowed = algorithm.decide(state, cost, now) instanceof Decision.Allowed;
                assertThat(isAllowed)
                    .as("%s step %d cost %d", trace.name, i, cost)
                    .isEqualTo(oracle.admits(cost, now));
                if (isAllowed) {
                  state = algorithm.charge(state, cost, now);
                  oracle.charge(cost, now);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void retryAfterIsSufficientAndTight(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    Trace.of(limit)
        .forEach(
            trace -> {
              long[] state = algorithm.newState();
              for (int i = 0; i < Trace.STEPS; i++) {
                long now = trace.step();
                long cost = trace.cost();
                if (algorithm.decide(state, cost, now) instanceof Decision.Denied denied) {
                  long later = denied.retryAfterMicros() + trace.random.nextInt(1 << 30);
                  Promises.assertRetry(
                      algorithm, state, cost, now, later, trace.name + " step " + i);
                } else {
                  state = algorithm.charge(state, cost, now);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void costOfNIsNTimesCostOne(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    Trace.of(limit)
        .forEach(
            trace -> {
              long[] state = algorithm.newState();
              for (int i = 0; i < Trace.STEPS; i++) {
                long now = trace.step();
                long cost = 1 + trace.random.nextLong(Math.min(40, limit.maxCost()));
                long[] before = state.clone();
                state = Promises.charged(algorithm, state, cost, now);
                Promises.assertAdditive(
                    algorithm, before, state, cost, now, trace.name + " step " + i);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void standingPromisesExactlyWhatIsAdmitted(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    Trace.of(limit)
        .forEach(
            trace -> {
              long[] state = algorithm.newState();
              for (int i = 0; i < Trace.STEPS; i++) {
                long now = trace.step();
                Promises.assertStanding(algorithm, state, now, trace.name + " step " + i);
                state = Promises.charged(algorithm, state, trace.cost(), now);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void stateWithoutEffectMeansTheSameAsNoState(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    Trace.of(limit)
        .forEach(
            trace -> {
              long[] state = algorithm.newState();
              for (int i = 0; i < 20; i++) {
                state = Promises.charged(algorithm, state, 1, trace.step());
              }
              long end = algorithm.effectEndsAtMicros(state);

              state = algorithm.charge(state, 1, end);
              long[] fresh = algorithm.charge(algorithm.newState(), 1, end);

              assertThat(algorithm.standing(state, end))
                  .as(trace.name)
                  .isEqualTo(algorithm.standing(fresh, end));
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void costAboveTheLimitIsImpossibleHoweverLongOneWaits(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long[] state = algorithm.newState();
    long now = Trace.TODAY_MICROS;

    assertThat(algorithm.decide(state, limit.maxCost(), now)).isEqualTo(Decision.ALLOWED);
    assertThat(algorithm.decide(state, limit.maxCost() + 1, now)).isEqualTo(Decision.IMPOSSIBLE);
    assertThat(algorithm.decide(state, Long.MAX_VALUE, now)).isEqualTo(Decision.IMPOSSIBLE);
  }

  @ParameterizedTest
  @MethodSource("spans")
  void neverAdmitsAboveItsBoundInAnySpanOfTheWindow(LimitSpec limit) {
    long bound =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET -> limit.burst() + limit.permits() - 1;
          case SLIDING_WINDOW_COUNTER ->
              limit.estimate() == Estimate.STRICT ? limit.permits() : 2 * limit.permits() - 1;
          case SLIDING_WINDOW_LOG -> limit.permits();
          case FIXED_WINDOW -> 2 * limit.permits();
        };

    assertBound(limit, limit.windowMicros(), bound);
  }

  @ParameterizedTest
  @MethodSource("counters")
  void neverAdmitsAboveTheLimitInASpanThatIsShorterByASegment(LimitSpec limit) {
    long segment = (limit.windowMicros() + limit.segments() - 1) / limit.segments();

    assertBound(limit, limit.windowMicros() - segment, limit.permits());
  }

  private static void assertBound(LimitSpec limit, long span, long bound) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    Trace.of(limit)
        .forEach(
            trace -> {
              List<long[]> admitted = new ArrayList<>();
              long[] state = algorithm.newState();
              for (int i = 0; i < Trace.STEPS; i++) {
                long now = trace.step();
                long cost = trace.cost();
                if (algorithm.decide(state, cost, now) instanceof Decision.Allowed) {
                  state = algorithm.charge(state, cost, now);
                  admitted.add(new long[] {now, cost});
                }
                long within =
                    admitted.stream()
                        .filter(admission -> admission[0] > now - span)
                        .mapToLong(admission -> admission[1])
                        .sum();
                assertThat(within).as("%s step %d", trace.name, i).isLessThanOrEqualTo(bound);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void idleYearsGiveOneWholeLimitOnce(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long[] state = algorithm.charge(algorithm.newState(), limit.maxCost(), Trace.TODAY_MICROS);
    long tenYearsLater = Trace.TODAY_MICROS + 10 * 366 * 86_400_000_000L;

    assertThat(algorithm.decide(state, limit.maxCost(), tenYearsLater)).isEqualTo(Decision.ALLOWED);
    state = algorithm.charge(state, limit.maxCost(), tenYearsLater);
    assertThat(algorithm.decide(state, 1, tenYearsLater)).isInstanceOf(Decision.Denied.class);
  }
}
