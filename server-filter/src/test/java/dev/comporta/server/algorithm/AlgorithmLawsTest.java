package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of a decision, for every algorithm, over seeded traces against a naive oracle. */
class AlgorithmLawsTest {

  private static final long TODAY_MICROS = 1_796_040_000_000_000L;
  private static final int TRACES = 60;
  private static final int STEPS = 250;

  static Stream<LimitSpec> limits() {
    List<LimitSpec> buckets =
        Stream.of("1/1s", "3/1s", "100/1m", "5/500ms", "7/13s", "1000/1ms", "997/1d", "20000/400d")
            .map(LimitSpec::parse)
            .toList();
    List<LimitSpec> bursts =
        List.of(
            LimitSpec.parse("3/1s").withBurst(1),
            LimitSpec.parse("10/1m").withBurst(25),
            LimitSpec.parse("1/1d").withBurst(300));
    Stream<LimitSpec> windows =
        buckets.stream().map(limit -> limit.countedBy(Algorithm.SLIDING_WINDOW_COUNTER));
    return Stream.concat(Stream.concat(buckets.stream(), bursts.stream()), windows);
  }

  private static Oracle oracleOf(LimitSpec limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> Oracle.bucket(limit.permits(), limit.windowMicros(), limit.burst());
      case SLIDING_WINDOW_COUNTER -> Oracle.weightedWindow(limit.permits(), limit.windowMicros());
      case SLIDING_WINDOW_LOG, FIXED_WINDOW -> throw new IllegalArgumentException("no oracle yet");
    };
  }

  /** One seeded walk through time: bursts, pauses of about a window, and idle times. */
  private static final class Trace {
    private final Random random;
    private final LimitSpec limit;
    private final String name;
    private long nowMicros;

    Trace(LimitSpec limit, int number) {
      long seed = 31L * limit.hashCode() + number;
      this.limit = limit;
      this.random = new Random(seed);
      this.name = limit + " " + limit.algorithm() + " seed " + seed;
      this.nowMicros = TODAY_MICROS + random.nextLong(limit.windowMicros());
    }

    long step() {
      long gap =
          switch (random.nextInt(10)) {
            case 0, 1, 2 -> 0;
            case 3 -> random.nextLong(2 * limit.windowMicros() + 1);
            case 4 -> random.nextInt(50) == 0 ? 5 * limit.windowMicros() : 1;
            default -> random.nextLong(3 * limit.windowMicros() / limit.permits() + 2);
          };
      nowMicros += gap;
      return nowMicros;
    }

    long cost() {
      return random.nextInt(4) > 0 ? 1 : 1 + random.nextLong(limit.maxCost());
    }
  }

  private static Stream<Trace> traces(LimitSpec limit) {
    return Stream.iterate(0, number -> number + 1)
        .limit(TRACES)
        .map(number -> new Trace(limit, number));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void admitsExactlyWhatTheOracleAdmits(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    traces(limit)
        .forEach(
            trace -> {
              Oracle oracle = oracleOf(limit);
              long[] state = new long[RateAlgorithm.STATE_LONGS];
              for (int i = 0; i < STEPS; i++) {
                long now = trace.step();
                long cost = trace.cost();
                boolean isAllowed = algorithm.decide(state, cost, now) instanceof Decision.Allowed;
                assertThat(isAllowed)
                    .as("%s step %d cost %d", trace.name, i, cost)
                    .isEqualTo(oracle.admits(cost, now));
                if (isAllowed) {
                  algorithm.charge(state, cost, now);
                  oracle.charge(cost, now);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void retryAfterIsSufficientAndTight(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    traces(limit)
        .forEach(
            trace -> {
              long[] state = new long[RateAlgorithm.STATE_LONGS];
              for (int i = 0; i < STEPS; i++) {
                long now = trace.step();
                long cost = trace.cost();
                Decision decision = algorithm.decide(state, cost, now);
                if (decision instanceof Decision.Denied denied) {
                  long at = now + denied.retryAfterMicros();
                  String step = trace.name + " step " + i + " cost " + cost;
                  assertThat(denied.retryAfterMicros()).as(step).isPositive();
                  assertThat(algorithm.decide(state, cost, at - 1))
                      .as(step)
                      .isInstanceOf(Decision.Denied.class);
                  assertThat(algorithm.decide(state, cost, at))
                      .as(step)
                      .isEqualTo(Decision.ALLOWED);
                  assertThat(algorithm.decide(state, cost, at + trace.random.nextInt(1 << 30)))
                      .as(step + ", later")
                      .isEqualTo(Decision.ALLOWED);
                } else {
                  algorithm.charge(state, cost, now);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void costOfNIsNTimesCostOne(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    traces(limit)
        .forEach(
            trace -> {
              long[] state = new long[RateAlgorithm.STATE_LONGS];
              for (int i = 0; i < STEPS; i++) {
                long now = trace.step();
                long cost = 1 + trace.random.nextLong(Math.min(40, limit.maxCost()));
                long[] single = state.clone();
                long passed = 0;
                while (passed < cost
                    && algorithm.decide(single, 1, now) instanceof Decision.Allowed) {
                  algorithm.charge(single, 1, now);
                  passed++;
                }
                boolean isAllowed = algorithm.decide(state, cost, now) instanceof Decision.Allowed;
                assertThat(isAllowed).as("%s step %d", trace.name, i).isEqualTo(passed == cost);
                if (isAllowed) {
                  algorithm.charge(state, cost, now);
                  assertThat(state).as("%s step %d", trace.name, i).isEqualTo(single);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void standingPromisesExactlyWhatIsAdmitted(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    traces(limit)
        .forEach(
            trace -> {
              long[] state = new long[RateAlgorithm.STATE_LONGS];
              for (int i = 0; i < STEPS; i++) {
                long now = trace.step();
                Standing standing = algorithm.standing(state, now);
                String step = trace.name + " step " + i + " " + standing;
                assertThat(standing.remaining()).as(step).isBetween(0L, standing.limit());
                if (standing.remaining() > 0) {
                  assertThat(algorithm.decide(state, standing.remaining(), now))
                      .as(step)
                      .isEqualTo(Decision.ALLOWED);
                  assertThat(standing.nextAfterMicros()).as(step).isZero();
                } else {
                  assertThat(algorithm.decide(state, 1, now))
                      .as(step)
                      .isEqualTo(new Decision.Denied(standing.nextAfterMicros()));
                }
                assertThat(algorithm.decide(state, standing.remaining() + 1, now))
                    .as(step)
                    .isNotEqualTo(Decision.ALLOWED);
                assertWholeExactlyAtReset(algorithm, state, now, standing, step);
                long cost = trace.cost();
                if (algorithm.decide(state, cost, now) instanceof Decision.Allowed) {
                  algorithm.charge(state, cost, now);
                }
              }
            });
  }

  private static void assertWholeExactlyAtReset(
      RateAlgorithm algorithm, long[] state, long now, Standing standing, String step) {
    long resetAt = now + standing.resetAfterMicros();
    assertThat(algorithm.standing(state, resetAt).remaining()).as(step).isEqualTo(standing.limit());
    if (standing.resetAfterMicros() > 0) {
      assertThat(algorithm.effectEndsAtMicros(state)).as(step).isEqualTo(resetAt);
      assertThat(algorithm.standing(state, resetAt - 1).resetAfterMicros()).as(step).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void stateWithoutEffectMeansTheSameAsNoState(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);

    traces(limit)
        .forEach(
            trace -> {
              long[] state = new long[RateAlgorithm.STATE_LONGS];
              for (int i = 0; i < 20; i++) {
                long now = trace.step();
                if (algorithm.decide(state, 1, now) instanceof Decision.Allowed) {
                  algorithm.charge(state, 1, now);
                }
              }
              long end = algorithm.effectEndsAtMicros(state);

              long[] fresh = new long[RateAlgorithm.STATE_LONGS];
              algorithm.charge(state, 1, end);
              algorithm.charge(fresh, 1, end);

              assertThat(algorithm.standing(state, end))
                  .as(trace.name)
                  .isEqualTo(algorithm.standing(fresh, end));
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void clockThatStepsBackRefusesNobodyForLongerThanAFullRecovery(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long recoveryMicros = 2 * Math.max(limit.windowMicros(), algorithm.windowMicros());

    traces(limit)
        .forEach(
            trace -> {
              long[] state = new long[RateAlgorithm.STATE_LONGS];
              for (int i = 0; i < 50; i++) {
                long now = trace.step();
                if (algorithm.decide(state, 1, now) instanceof Decision.Allowed) {
                  algorithm.charge(state, 1, now);
                }
              }
              for (long back :
                  new long[] {1, 1_000, limit.windowMicros(), 3_000_000_000_000_000L}) {
                long earlier = trace.nowMicros - back - trace.random.nextLong(limit.windowMicros());
                Standing standing = algorithm.standing(state, earlier);
                assertThat(standing.remaining()).as(trace.name).isBetween(0L, standing.limit());
                assertThat(standing.resetAfterMicros())
                    .as("%s back by %d", trace.name, back)
                    .isBetween(0L, recoveryMicros);
                if (algorithm.decide(state, limit.maxCost(), earlier)
                    instanceof Decision.Denied denied) {
                  assertThat(denied.retryAfterMicros())
                      .as("%s back by %d", trace.name, back)
                      .isBetween(1L, recoveryMicros);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void costAboveTheLimitIsImpossibleHoweverLongOneWaits(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long[] state = new long[RateAlgorithm.STATE_LONGS];

    assertThat(algorithm.decide(state, limit.maxCost(), TODAY_MICROS)).isEqualTo(Decision.ALLOWED);
    assertThat(algorithm.decide(state, limit.maxCost() + 1, TODAY_MICROS))
        .isEqualTo(Decision.IMPOSSIBLE);
    assertThat(algorithm.decide(state, Long.MAX_VALUE, TODAY_MICROS))
        .isEqualTo(Decision.IMPOSSIBLE);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void neverAdmitsAboveItsBoundInAnySpanOfTheWindow(LimitSpec limit) {
    RateAlgorithm algorithm = RateAlgorithm.of(limit);
    long bound =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET -> limit.burst() + limit.permits();
          case SLIDING_WINDOW_COUNTER -> Math.max(1, 2 * limit.permits() - 1);
          case SLIDING_WINDOW_LOG, FIXED_WINDOW ->
              throw new IllegalArgumentException("no bound yet");
        };

    traces(limit)
        .forEach(
            trace -> {
              long[] state = new long[RateAlgorithm.STATE_LONGS];
              List<long[]> admitted = new java.util.ArrayList<>();
              for (int i = 0; i < STEPS; i++) {
                long now = trace.step();
                long cost = trace.cost();
                if (algorithm.decide(state, cost, now) instanceof Decision.Allowed) {
                  algorithm.charge(state, cost, now);
                  admitted.add(new long[] {now, cost});
                }
                long inWindow =
                    admitted.stream()
                        .filter(admission -> admission[0] > now - limit.windowMicros())
                        .mapToLong(admission -> admission[1])
                        .sum();
                assertThat(inWindow).as("%s step %d", trace.name, i).isLessThanOrEqualTo(bound);
              }
            });
  }
}
