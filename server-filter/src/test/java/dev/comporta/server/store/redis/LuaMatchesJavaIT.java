package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.redis.JavaUsage.TimeToLive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scripts and the Java classes give equal answers, equal states and equal times to live on the
 * same trace. Many traces go side by side, so that the calls of one step are sent together.
 */
class LuaMatchesJavaIT {

  private static final int TRACES = 50;
  private static final int STEPS = 160;
  private static final int FLIGHTS = 40;

  private static final String GET_ALL =
      """
      local reply = {}
      for i, key in ipairs(KEYS) do
        reply[2 * i - 1] = redis.call('GET', key) or ''
        reply[2 * i] = redis.call('PTTL', key)
      end
      return reply
      """;

  private static RedisServerProcess server;
  private static AtomicLong now;
  private static RedisLimitStore store;

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
    now = new AtomicLong();
    store =
        RedisLimitStore.withGivenTime(
            RedisOptions.at(server.address())
                .within(Duration.ofSeconds(10))
                .saving(Trips.oneForEach()),
            now::get);
    assertThat(store.awaitReady(Duration.ofSeconds(10))).isTrue();
  }

  @AfterAll
  static void close() {
    store.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1_001, 2_001, 3_001})
  void givesEqualAnswersStatesAndTimesToLiveOnEachStep(long firstSeed) {
    Map<Object, Integer> seen =
        walk(firstSeed, STEPS, (trace, step, each) -> trace.step(step, store, now, each));

    assertThat(seen.values()).as("seeds from " + firstSeed).allMatch(n -> n > STEPS * TRACES / 50);
  }

  @ParameterizedTest
  @ValueSource(longs = {10_001, 11_001})
  void decidesAllOfACallAsIfTheyCameOneAfterAnother(long firstSeed) {
    Map<Object, Integer> seen =
        walk(firstSeed, FLIGHTS, (trace, step, each) -> trace.fly(step, store, now, each));

    assertThat(seen.values()).as("seeds from " + firstSeed).allMatch(n -> n > FLIGHTS * TRACES / 5);
  }

  private static Map<Object, Integer> walk(long firstSeed, int steps, Step next) {
    List<LuaTrace> traces =
        LongStream.range(firstSeed, firstSeed + TRACES).mapToObj(LuaTrace::new).toList();
    Map<Object, Integer> seen = new HashMap<>();
    for (int step = 0; step < steps; step++) {
      List<CompletionStage<?>> answers = new ArrayList<>();
      for (LuaTrace trace : traces) {
        answers.add(next.take(trace, step, kind -> seen.merge(kind, 1, Integer::sum)));
      }
      answers.forEach(
          answer -> answer.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join());
      assertEqualStates(traces, LuaTrace::touched, step);
    }
    assertEqualStates(traces, LuaTrace::keys, steps);
    assertThat(seen)
        .containsOnlyKeys(Verdict.Admitted.class, Verdict.Refused.class, Verdict.Impossible.class);
    return seen;
  }

  private interface Step {
    CompletionStage<?> take(LuaTrace trace, int number, Consumer<Object> seen);
  }

  private static void assertEqualStates(
      List<LuaTrace> traces, Function<LuaTrace, List<String>> keys, int step) {
    List<String> words = new ArrayList<>(List.of("EVAL", GET_ALL, ""));
    traces.forEach(trace -> words.addAll(keys.apply(trace)));
    words.set(2, Integer.toString(words.size() - 3));
    List<String> replies = server.command(words.toArray(String[]::new)).lines().skip(1).toList();
    int at = 0;
    for (LuaTrace trace : traces) {
      for (String key : keys.apply(trace)) {
        assertEqual(
            trace, key, replies.get(at), replies.get(at + 1), trace.name + ", step " + step);
        at += 2;
      }
    }
  }

  private static void assertEqual(
      LuaTrace trace, String key, String text, String millisToLive, String place) {
    RateAlgorithm limit = trace.limitOf(key);
    String at = place + ", " + key + ", " + text;
    Optional<long[]> expected = trace.java.state(key);
    if (expected.isEmpty()) {
      assertThat(text).as(at).isEmpty();
      return;
    }
    assertThat(numbers(limit, RedisState.parse(text, limit)))
        .as(at)
        .isEqualTo(numbers(limit, expected.get()));
    TimeToLive given = trace.java.timeToLive(key);
    assertThat(Long.parseLong(millisToLive.substring(1)))
        .as(at)
        .isBetween(given.leastMillis() - TimeToLive.PATIENCE_MILLIS, given.mostMillis());
  }

  /** What a state means, without what is left of former ones in its array. */
  private static List<Long> numbers(RateAlgorithm limit, long[] state) {
    List<Long> numbers = new ArrayList<>();
    switch (limit.kind()) {
      case TOKEN_BUCKET, FIXED_WINDOW -> LongStream.of(state).forEach(numbers::add);
      case SLIDING_WINDOW_COUNTER -> {
        numbers.add(state[0]);
        numbers.add(state[1]);
        for (int at = 2; at < state.length && state[at] > 0; at += 3) {
          numbers.addAll(List.of(state[at], state[at + 1], state[at + 2]));
        }
      }
      case SLIDING_WINDOW_LOG -> {
        long before = state[2];
        for (int at = 3 + 2 * (int) state[0]; at < 3 + 2 * (int) state[1]; at += 2) {
          numbers.addAll(List.of(state[at], state[at + 1] - before));
          before = state[at + 1];
        }
      }
    }
    return numbers;
  }
}
