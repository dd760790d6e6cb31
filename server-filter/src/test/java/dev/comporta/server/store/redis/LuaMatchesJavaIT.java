package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts and the Java classes give equal verdicts and equal states on the same trace. */
class LuaMatchesJavaIT {

  private static final int STEPS = 1_000;
  private static final int KEYS = 5;
  private static final long DAY = 86_400_000_000L;

  private static final List<String> RATES =
      List.of(
          "5/1s",
          "3/1s",
          "7/13s",
          "100/1m",
          "1/1ms",
          "999/1ms",
          "1000003/1d",
          "11/400d",
          "2000000000/400d",
          "2000000000/1ms");

  private static RedisServerProcess server;
  private static AtomicLong now;
  private static WaitingStore store;

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
    now = new AtomicLong();
    store =
        new WaitingStore(
            RedisLimitStore.withGivenTime(
                RedisOptions.at(server.address()).within(Duration.ofSeconds(10)), now::get));
  }

  @AfterAll
  static void close() {
    store.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void givesEqualVerdictsAndStatesOnEachStep(long seed) {
    Random random = new Random(seed);
    Map<String, long[]> states = new HashMap<>();
    Map<Class<?>, Integer> seen = new HashMap<>();
    List<RateAlgorithm> limits = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      limits.add(anyLimit(random, key));
    }
    now.set(1_800_000_000_000_000L + random.nextInt(1_000_000_000));

    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(25) == 0) {
        int changed = random.nextInt(KEYS);
        limits.set(changed, anyLimit(random, changed));
      }
      List<KeyedLimit> asked = anyRequest(random, limits, seed);
      long cost = anyCost(random, asked);

      Verdict expected = decideInJava(states, asked, cost, now.get());
      Verdict actual = store.decide(asked, cost);

      String place = "seed " + seed + ", step " + step;
      assertThat(actual).as(place).isEqualTo(expected);
      assertThat(statesInRedis(asked)).as(place).isEqualTo(statesInJava(states, asked));
      if (step % 4 == 0) {
        assertThat(store.peek(asked).standings())
            .as(place)
            .isEqualTo(((Verdict.Decided) expected).standings());
      }
      seen.merge(expected.getClass(), 1, Integer::sum);
      now.addAndGet(anyPause(random, asked));
    }

    assertThat(seen.values())
        .as("each kind of verdict, seed " + seed)
        .allMatch(n -> n > STEPS / 20);
    assertThat(seen).as("kinds of verdict, seed " + seed).hasSize(3);
  }

  private static Verdict decideInJava(
      Map<String, long[]> stored, List<KeyedLimit> limits, long cost, long nowMicros) {
    List<long[]> states = new ArrayList<>();
    for (KeyedLimit limit : limits) {
      long[] state = stored.getOrDefault(limit.key(), limit.limit().newState());
      limit.limit().rebase(state, nowMicros);
      states.add(state);
    }
    if (!Verdicts.areAllAllowed(limits, states, cost, nowMicros)) {
      return Verdicts.notAdmitted(limits, states, cost, nowMicros);
    }
    for (int i = 0; i < limits.size(); i++) {
      limits.get(i).limit().charge(states.get(i), cost, nowMicros);
      stored.put(limits.get(i).key(), states.get(i));
    }
    return Verdicts.admitted(limits, states, nowMicros);
  }

  private static List<String> statesInJava(Map<String, long[]> states, List<KeyedLimit> limits) {
    return limits.stream()
        .map(limit -> states.get(limit.key()))
        .map(
            state ->
                state == null ? "$-1" : state[0] + " " + state[1] + " " + state[2] + " " + state[3])
        .toList();
  }

  private static List<String> statesInRedis(List<KeyedLimit> limits) {
    List<String> words = new ArrayList<>(List.of("MGET"));
    limits.forEach(limit -> words.add(limit.key()));
    return server.command(words.toArray(String[]::new)).lines().skip(1).toList();
  }

  /** Even keys are buckets, odd ones windows. */
  private static RateAlgorithm anyLimit(Random random, int key) {
    if (random.nextInt(12) == 0) {
      return key % 2 == 0
          ? new TokenBucket(94_906_249, 400 * DAY, 94_906_249)
          : new SlidingWindowCounter(2_147_483_647, 400 * DAY);
    }
    LimitSpec spec = LimitSpec.parse(RATES.get(random.nextInt(RATES.size())));
    if (key % 2 != 0) {
      return RateAlgorithm.of(spec.countedBy(Algorithm.SLIDING_WINDOW_COUNTER));
    }
    return RateAlgorithm.of(
        random.nextBoolean() ? spec : spec.withBurst(1 + random.nextInt((int) spec.permits())));
  }

  private static List<KeyedLimit> anyRequest(Random random, List<RateAlgorithm> limits, long seed) {
    List<KeyedLimit> all = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      all.add(new KeyedLimit("trace:" + seed + ":" + key, limits.get(key)));
    }
    Collections.shuffle(all, random);
    return all.subList(0, 1 + random.nextInt(3));
  }

  private static long anyCost(Random random, List<KeyedLimit> asked) {
    long least = asked.stream().mapToLong(limit -> limit.limit().limit()).min().orElseThrow();
    return switch (random.nextInt(8)) {
      case 0 -> least;
      case 1 -> least + 1;
      case 2, 3 -> 1 + (long) (random.nextDouble() * least);
      case 4 -> 1 + least / 3;
      default -> 1;
    };
  }

  private static long anyPause(Random random, List<KeyedLimit> asked) {
    RateAlgorithm limit = asked.get(0).limit();
    long window = limit.windowMicros();
    return switch (random.nextInt(40)) {
      case 0 -> -1;
      case 1 -> -(long) (random.nextDouble() * 3 * window);
      case 2 -> -(long) (random.nextDouble() * 500 * DAY);
      case 3 -> (long) (random.nextDouble() * 500 * DAY);
      case 4 -> Math.floorMod(-now.get(), window);
      case 5, 6, 7, 8 -> (long) (random.nextDouble() * 2 * window);
      case 9, 10, 11, 12, 13, 14, 15 -> 0;
      case 16, 17, 18 -> 1;
      default -> (long) (random.nextDouble() * 3 * window / limit.limit());
    };
  }
}
