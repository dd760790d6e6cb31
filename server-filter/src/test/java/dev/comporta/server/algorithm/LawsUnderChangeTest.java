package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.LimitSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The laws that hold whatever happens: limits that change at every request (permits, burst, window,
 * calendar, segments, estimate), clocks that step back, debts and refunds.
 */
class LawsUnderChangeTest {

  private static final int TRACES = 1_000;
  private static final int STEPS = 120;
  private static final long[] WINDOW_MILLIS = {1, 7, 500, 1_000, 1_001, 60_000, 3_600_000};

  private static LimitSpec anyLimit(Algorithm algorithm, Random random) {
    long permits = 1 + random.nextLong(random.nextBoolean() ? 10 : 200);
    if (algorithm == Algorithm.FIXED_WINDOW && random.nextInt(4) == 0) {
      return LimitSpec.parse(permits + "/day;zone=Australia/Lord_Howe");
    }
    long millis = WINDOW_MILLIS[random.nextInt(WINDOW_MILLIS.length)];
    LimitSpec limit = LimitSpec.of(permits, Duration.ofMillis(millis), algorithm);
    return switch (algorithm) {
      case TOKEN_BUCKET -> limit.withBurst(1 + random.nextLong(50));
      case SLIDING_WINDOW_COUNTER ->
          limit.estimatedBy(
              anyOf(List.of(Estimate.values()), random), Limits.SEGMENTS[random.nextInt(4)]);
      case SLIDING_WINDOW_LOG, FIXED_WINDOW -> limit;
    };
  }

  private static <T> T anyOf(List<T> choice, Random random) {
    return choice.get(random.nextInt(choice.size()));
  }

  /** A walk in which everything changes. */
  private static final class Walk {
    final Random random;
    final List<long[]> charges = new ArrayList<>();
    final String name;
    private final Algorithm kind;
    private final boolean isClockSteady;
    long now = Trace.TODAY_MICROS;
    LimitSpec limit;
    long[] state;

    Walk(Algorithm kind, long seed, boolean isClockSteady) {
      this.random = new Random(seed);
      this.kind = kind;
      this.isClockSteady = isClockSteady;
      this.name = kind + " seed " + seed;
      this.limit = anyLimit(kind, random);
      this.state = RateAlgorithm.of(limit).newState();
    }

    RateAlgorithm next() {
      if (random.nextInt(5) == 0) {
        limit = anyLimit(kind, random);
      }
      now +=
          switch (random.nextInt(12)) {
            case 0, 1, 2 -> 0;
            case 3 -> random.nextLong(2 * limit.windowMicros());
            case 4 -> isClockSteady ? 1 : -random.nextLong(2 * limit.windowMicros());
            case 5 -> isClockSteady || random.nextInt(20) > 0 ? 1 : -100_000_000_000_000L;
            default -> random.nextLong(3 * limit.windowMicros() / limit.permits() + 2);
          };
      RateAlgorithm algorithm = RateAlgorithm.of(limit);
      algorithm.rebase(state, now);
      return algorithm;
    }

    void act(RateAlgorithm algorithm) {
      switch (random.nextInt(7)) {
        case 0 -> state = algorithm.surcharge(state, 1 + random.nextInt(300), now);
        case 2 -> state = algorithm.grant(state, 1 + random.nextInt(20), now);
        case 1 -> refundOne(algorithm);
        default -> {
          long cost = cost();
          if (algorithm.decide(state, cost, now) instanceof Decision.Allowed) {
            state = algorithm.charge(state, cost, now);
            charges.add(new long[] {now, cost});
          }
        }
      }
    }

    private void refundOne(RateAlgorithm algorithm) {
      if (!charges.isEmpty()) {
        long[] charge = charges.remove(random.nextInt(charges.size()));
        state = algorithm.refund(state, charge[1], charge[0], now);
      }
    }

    long cost() {
      return random.nextInt(3) > 0 ? 1 : 1 + random.nextLong(limit.maxCost());
    }

    String step(int i) {
      return name + " step " + i + " " + limit;
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void everyPromiseHoldsAtEveryStep(Algorithm kind) {
    for (int seed = 0; seed < TRACES; seed++) {
      Walk walk = new Walk(kind, seed, false);
      for (int i = 0; i < STEPS; i++) {
        RateAlgorithm algorithm = walk.next();
        String step = walk.step(i);
        Promises.assertStanding(algorithm, walk.state, walk.now, step);
        long cost = walk.cost();
        if (algorithm.decide(walk.state, cost, walk.now) instanceof Decision.Denied) {
          long later = walk.random.nextLong(4 * walk.limit.windowMicros());
          Promises.assertRetry(algorithm, walk.state, cost, walk.now, later, step);
        } else {
          long[] before = walk.state.clone();
          long[] after = algorithm.charge(walk.state.clone(), cost, walk.now);
          Promises.assertAdditive(algorithm, before, after, cost, walk.now, step);
        }
        walk.act(algorithm);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void chargeTakesExactlyItsCostFromWhatRemains(Algorithm kind) {
    for (int seed = 0; seed < TRACES; seed++) {
      Walk walk = new Walk(kind, seed, false);
      for (int i = 0; i < STEPS; i++) {
        RateAlgorithm algorithm = walk.next();
        long before = algorithm.standing(walk.state, walk.now).remaining();
        long cost = walk.cost();
        if (before >= cost) {
          walk.state = algorithm.charge(walk.state, cost, walk.now);
          assertThat(algorithm.standing(walk.state, walk.now).remaining())
              .as(walk.step(i))
              .isEqualTo(before - cost);
        }
        walk.act(algorithm);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void surchargeAndRefundMoveWhatRemainsTheirWayAndNoFurtherThanTheyMay(Algorithm kind) {
    for (int seed = 0; seed < TRACES; seed++) {
      Walk walk = new Walk(kind, seed, false);
      for (int i = 0; i < STEPS; i++) {
        RateAlgorithm algorithm = walk.next();
        long permits = 1 + walk.random.nextLong(300);
        long remaining = algorithm.standing(walk.state, walk.now).remaining();

        long[] indebted = algorithm.surcharge(walk.state.clone(), permits, walk.now);
        long[] refunded = algorithm.refund(indebted.clone(), permits, walk.now, walk.now);

        assertThat(algorithm.standing(indebted, walk.now).remaining())
            .as(walk.step(i))
            .isEqualTo(Math.max(0, remaining - permits));
        assertThat(algorithm.standing(refunded, walk.now).remaining())
            .as(walk.step(i))
            .isBetween(algorithm.standing(indebted, walk.now).remaining(), algorithm.limit());
        walk.act(algorithm);
      }
    }
  }

  /**
   * A permit that counts for a part, which only the oldest ones of a weighted window do, gives back
   * that part; and a debt is paid first.
   */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantGivesBackWhatIsUsedAndNoMore(Algorithm kind) {
    for (int seed = 0; seed < TRACES; seed++) {
      Walk walk = new Walk(kind, seed, false);
      for (int i = 0; i < STEPS; i++) {
        RateAlgorithm algorithm = walk.next();
        long permits = 1 + walk.random.nextLong(300);
        long remaining = algorithm.standing(walk.state, walk.now).remaining();

        long[] granted = algorithm.grant(walk.state.clone(), permits, walk.now);
        long[] whole = algorithm.grant(walk.state.clone(), Long.MAX_VALUE, walk.now);

        long most = Math.min(algorithm.limit(), remaining + permits);
        boolean isExact = kind != Algorithm.SLIDING_WINDOW_COUNTER && remaining > 0;
        assertThat(algorithm.standing(granted, walk.now).remaining())
            .as(walk.step(i) + " grant " + permits)
            .isBetween(isExact ? most : remaining, most);
        assertThat(algorithm.standing(whole, walk.now))
            .as(walk.step(i))
            .isEqualTo(algorithm.standing(algorithm.newState(), walk.now));
        Promises.assertStanding(algorithm, granted, walk.now, walk.step(i));
        walk.act(algorithm);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantUndoesAChargeThatWasTheNewest(Algorithm kind) {
    for (int seed = 0; seed < TRACES; seed++) {
      Walk walk = new Walk(kind, seed, false);
      for (int i = 0; i < STEPS; i++) {
        RateAlgorithm algorithm = walk.next();
        long before = algorithm.standing(walk.state, walk.now).remaining();
        if (before > 0) {
          long cost = 1 + walk.random.nextLong(before);
          long[] charged = algorithm.charge(walk.state.clone(), cost, walk.now);
          long[] granted = algorithm.grant(charged, cost, walk.now);
          assertThat(algorithm.standing(granted, walk.now).remaining())
              .as(walk.step(i) + " cost " + cost)
              .isEqualTo(before);
        }
        walk.act(algorithm);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void clockThatStepsBackGivesNothingBackAndKeepsNobodyOutForLonger(Algorithm kind) {
    for (int seed = 0; seed < TRACES; seed++) {
      Walk walk = new Walk(kind, seed, true);
      long lastWrite = walk.now;
      for (int i = 0; i < STEPS; i++) {
        RateAlgorithm algorithm = walk.next();
        long[] before = walk.state.clone();
        walk.act(algorithm);
        lastWrite = Arrays.equals(before, walk.state) ? lastWrite : walk.now;
      }
      for (long back : new long[] {1, walk.limit.windowMicros(), 1_700_000_000_000_000L}) {
        assertStepBack(walk, lastWrite, lastWrite - back);
      }
    }
  }

  /** How long it takes at most until one charge has no effect any more. */
  private static long recoveryMicros(LimitSpec limit) {
    long window = limit.windowMicros();
    return limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER
        ? window + (window + limit.segments() - 1) / limit.segments()
        : window;
  }

  private static void assertStepBack(Walk walk, long lastWrite, long earlier) {
    RateAlgorithm algorithm = RateAlgorithm.of(walk.limit);
    Standing written = algorithm.standing(walk.state, lastWrite);
    long[] state = walk.state.clone();
    algorithm.rebase(state, earlier);
    String step = walk.name + " back to " + earlier + " " + walk.limit;

    assertThat(algorithm.standing(state, earlier).remaining())
        .as(step)
        .isLessThanOrEqualTo(written.remaining());
    assertThat(algorithm.standing(state, earlier).resetAfterMicros())
        .as(step)
        .isLessThanOrEqualTo(
            walk.limit.algorithm() == Algorithm.FIXED_WINDOW
                ? walk.limit.windowMicros()
                : written.resetAfterMicros()
                    + Math.min(lastWrite - earlier, recoveryMicros(walk.limit)));
    Promises.assertStanding(algorithm, state, earlier, step);
    if (algorithm.decide(state, 1, earlier) instanceof Decision.Denied) {
      Promises.assertRetry(algorithm, state, 1, earlier, 0, step);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void twoLimitsThatTakeTurnsAtOneInstantAdmitTheLargerOneInAll(Algorithm kind) {
    for (int seed = 0; seed < TRACES; seed++) {
      Random random = new Random(seed);
      LimitSpec one = anyLimit(kind, random);
      LimitSpec other = anyLimit(kind, random);
      long[] state = RateAlgorithm.of(one).newState();
      long admitted = 0;

      for (int i = 0; i < 900; i++) {
        RateAlgorithm algorithm = RateAlgorithm.of(i % 2 == 0 ? one : other);
        algorithm.rebase(state, Trace.TODAY_MICROS);
        if (algorithm.decide(state, 1, Trace.TODAY_MICROS) instanceof Decision.Allowed) {
          state = algorithm.charge(state, 1, Trace.TODAY_MICROS);
          admitted++;
        }
      }

      assertThat(admitted)
          .as("%s and %s, seed %d", one, other, seed)
          .isEqualTo(Math.max(one.maxCost(), other.maxCost()));
    }
  }
}
