package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults that were reported of other limiters, on what goes over the wire. Each test has the number
 * that the fault has in our collection.
 */
class WireFaultsOfOthersTest {

  private static final long SECOND = 1_000_000;
  private static final RateLimitHeaders BOTH = new RateLimitHeaders(EnumSet.allOf(Dialect.class));

  // S22: a default limit and one of the route, told twice in one header: "1000,1000"
  @Test
  void twoLimitsAreOneValueInEachOfTheThreeHeaders() {
    List<WireLimit> limits =
        List.of(new WireLimit("a-1m", 60 * SECOND, false), new WireLimit("b-1h", 1, false));
    Verdict verdict =
        new Verdict.Admitted(List.of(new Standing(1000, 9, 1, 0), new Standing(5, 4, 1, 0)), 0);

    Map<String, String> headers = BOTH.of(limits, verdict);

    assertThat(headers).containsEntry("X-RateLimit-Limit", "5");
    for (String name : List.of("Limit", "Remaining", "Reset")) {
      assertThat(headers.get("X-RateLimit-" + name)).matches("[0-9]+");
    }
  }

  static LongStream waits() {
    return new Random(20_261_130).longs(100, 0, 90 * SECOND);
  }

  // S42, S44: a wait that is cut off, zero or negative
  @ParameterizedTest
  @MethodSource("waits")
  @ValueSource(longs = {Long.MIN_VALUE, -1484742195, -1, 0, 1, 999_999, 1_000_000, 1_000_001})
  void toldWaitIsWholeSecondsNeverBelowOneAndNeverBelowTheExactOne(long micros) {
    Refusal refusal = Refusal.overLimit("a-1m", micros);
    RefusalAnswer answer = RefusalAnswer.of(refusal, Optional.empty(), Optional.empty());

    long told = Long.parseLong(answer.headers().getOrDefault("Retry-After", ""));

    assertThat(told).isPositive();
    assertThat(told * SECOND).isGreaterThanOrEqualTo(micros);
    assertThat((told - 1) * SECOND).isLessThan(Math.max(1, micros));
    assertThat(answer.body()).contains("\"retryAfter\":" + told);
  }

  // S42: who waits as long as it is told, alone, is admitted; also with jitter
  @ParameterizedTest
  @ValueSource(longs = {20_261_130, 1, 2})
  void loneCallerThatWaitsAsToldIsAdmitted(long seed) {
    Random random = new Random(seed);
    AtomicLong nowMicros = new AtomicLong(1_796_000_000_123_457L);
    RetryAfterJitter jitter = new RetryAfterJitter(OptionalInt.of(20), OptionalLong.of(3));
    LimitSpec spec = LimitSpec.parse("7/10s");
    List<WireLimit> wire = WireLimit.of(policy("p", spec), List.of(spec));
    int refusals = 0;
    try (MemoryLimitStore store = new MemoryLimitStore(10, nowMicros::get)) {
      List<KeyedLimit> limits = List.of(new KeyedLimit("key", RateAlgorithm.of(spec)));
      for (int i = 0; i < 1_000; i++) {
        Optional<Refusal> refusal = Refusal.of(wire, store.decide(limits, 1));
        if (refusal.isPresent()) {
          refusals++;
          nowMicros.addAndGet(told(refusal.get().with(jitter, random.nextLong())) * SECOND);
          assertThat(Refusal.of(wire, store.decide(limits, 1))).as("seed %d", seed).isEmpty();
        }
        nowMicros.addAndGet(random.nextLong(SECOND));
      }
    }
    assertThat(refusals).isGreaterThan(50);
  }

  // S43: a prefix of the key, here the name of the policy, that changes the wait to zero
  @ParameterizedTest
  @ValueSource(strings = {"p", "a.b", "Books.search", "tenant-7"})
  void nameOfThePolicyDoesNotChangeTheWait(String name) {
    LimitSpec spec = LimitSpec.parse("7/10s");
    List<WireLimit> wire = WireLimit.of(policy(name, spec), List.of(spec));
    Verdict verdict = new Verdict.Refused(List.of(new Standing(7, 0, 1, 1)), 0, 0, 1_400_000);

    Refusal refusal = Refusal.of(wire, verdict).orElseThrow();

    assertThat(refusal.headers()).containsEntry("Retry-After", "2");
  }

  // S55, O6: one header that is a span here, an instant there, or a date that ends in "UTC"
  @Test
  void eachHeaderHasOneUnitWhateverTheInstant() {
    WireLimit limit = new WireLimit("a-400d", 400 * 86_400 * SECOND, false);
    for (long day = 0; day <= 400; day++) {
      long now = 1_796_000_000 + day * 86_400;
      Standing standing = new Standing(7, 0, day * 86_400 * SECOND, day * 86_400 * SECOND);
      Verdict verdict = new Verdict.Refused(List.of(standing), now * SECOND, 0, 86_400 * SECOND);

      Map<String, String> headers = BOTH.of(List.of(limit), verdict);

      assertThat(headers)
          .containsEntry("X-RateLimit-Reset", Long.toString(now + day * 86_400))
          .containsEntry("RateLimit", "\"a-400d\";r=0;t=86400");
      assertThat(Refusal.of(List.of(limit), verdict).orElseThrow().headers())
          .containsEntry("Retry-After", "86400");
    }
  }

  @Test
  void jitterMovesNeitherResetNorTheEffectiveWindow() {
    WireLimit limit = new WireLimit("a-1m", 60 * SECOND, false);
    Verdict verdict =
        new Verdict.Refused(List.of(new Standing(7, 0, 60 * SECOND, 9)), 0, 0, 10 * SECOND);
    RetryAfterJitter jitter = new RetryAfterJitter(OptionalInt.of(100), OptionalLong.empty());

    Refusal refusal = Refusal.of(List.of(limit), verdict).orElseThrow().with(jitter, -1);

    assertThat(told(refusal)).isEqualTo(20);
    assertThat(BOTH.of(List.of(limit), verdict))
        .containsEntry("X-RateLimit-Reset", "60")
        .containsEntry("RateLimit", "\"a-1m\";r=0;t=10");
  }

  private static long told(Refusal refusal) {
    return Long.parseLong(refusal.headers().getOrDefault("Retry-After", ""));
  }

  private static Policy policy(String name, LimitSpec limit) {
    return new Policy(name, List.of(limit), Map.of(), false);
  }
}
