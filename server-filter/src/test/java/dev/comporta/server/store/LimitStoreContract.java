package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store must do. */
public abstract class LimitStoreContract extends UsageChangeContract {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void chargesNoLimitWhenOneRefuses(boolean isCallerFirst) {
    KeyedLimit caller = window("caller", 1);
    KeyedLimit everyone = window("everyone", 10);
    List<KeyedLimit> limits = isCallerFirst ? List.of(caller, everyone) : List.of(everyone, caller);

    long admitted =
        LongStream.range(0, 20).mapToObj(i -> store.decide(limits, 1)).filter(this::passes).count();

    assertThat(admitted).isEqualTo(1);
    assertThat(remaining(everyone)).isEqualTo(9);
    assertThat(remaining(caller)).isZero();
  }

  @Test
  void tellsFourAfterTheFirstOfFive() {
    List<KeyedLimit> limits = List.of(bucket("b", 5), window("w", 5));

    Verdict verdict = store.decide(limits, 1);

    assertThat(verdict).isInstanceOf(Verdict.Admitted.class);
    assertThat(((Verdict.Decided) verdict).standings())
        .extracting(Standing::remaining)
        .containsExactly(4L, 4L);
  }

  @Test
  void countsRemainingFromTheLimitToZero() {
    List<KeyedLimit> limits = List.of(bucket("b", 3), window("w", 3));
    List<Long> seen = new ArrayList<>(List.of(remaining(limits.get(0))));

    for (int i = 0; i < 5; i++) {
      seen.add(((Verdict.Decided) store.decide(limits, 1)).standings().get(0).remaining());
    }

    assertThat(seen).containsExactly(3L, 2L, 1L, 0L, 0L, 0L);
  }

  @Test
  void admitsAtRetryAfterAndNotOneMicrosecondBeforeForABucket() {
    assertRetryAfterIsTight(new KeyedLimit("b", new TokenBucket(3, SECOND, 3)));
  }

  @Test
  void admitsAtRetryAfterAndNotOneMicrosecondBeforeForAWindow() {
    KeyedLimit limit = window("w", 60);
    store.decide(List.of(limit), 60);
    now.addAndGet(MINUTE + 12 * SECOND);

    assertRetryAfterIsTight(limit);
  }

  @Test
  void waitsForTheLongestOfSeveralLimits() {
    List<KeyedLimit> limits = List.of(bucket("b", 10), window("w", 5));
    store.decide(limits, 5);

    Verdict.Refused refused = (Verdict.Refused) store.decide(limits, 5);

    assertThat(refused.binding()).isEqualTo(1);
    assertThat(refused.retryAfterMicros()).isGreaterThan(SECOND);
  }

  @Test
  void takesTheCostAsThatManyRequests() {
    KeyedLimit once = bucket("once", 10);
    KeyedLimit often = bucket("often", 10);

    store.decide(List.of(once), 7);
    for (int i = 0; i < 7; i++) {
      store.decide(List.of(often), 1);
    }

    assertThat(store.peek(List.of(once)).standings())
        .isEqualTo(store.peek(List.of(often)).standings());
  }

  @Test
  void saysImpossibleToACostAboveTheLimitAndChargesNothing() {
    KeyedLimit small = window("small", 5);
    KeyedLimit large = bucket("large", 50);

    Verdict verdict = store.decide(List.of(large, small), 6);

    assertThat(verdict).isInstanceOf(Verdict.Impossible.class);
    assertThat(((Verdict.Impossible) verdict).binding()).isEqualTo(1);
    assertThat(remaining(large)).isEqualTo(50);
  }

  @Test
  void keepsRetryAfterWhenAChangedLimitWasRefused() {
    KeyedLimit before = window("k", 10);
    KeyedLimit after = new KeyedLimit("k", new SlidingWindowCounter(10, 60 * MINUTE));
    store.decide(List.of(before), 10);
    Verdict.Refused refused = (Verdict.Refused) store.decide(List.of(after), 1);

    now.addAndGet(refused.retryAfterMicros() - 1);
    Verdict early = store.decide(List.of(after), 1);
    now.incrementAndGet();

    assertThat(early).isInstanceOf(Verdict.Refused.class);
    assertThat(store.decide(List.of(after), 1)).isInstanceOf(Verdict.Admitted.class);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void admitsInAllWhatTheLargerOneOfTwoConfigurationsAllowsWhenTheyTakeTurns(Algorithm kind) {
    RateAlgorithm ten = RateAlgorithm.of(LimitSpec.parse("10/1h", kind));
    RateAlgorithm seven = RateAlgorithm.of(LimitSpec.parse("7/2h", kind));

    long admitted =
        IntStream.range(0, 60)
            .mapToObj(i -> store.decide(List.of(keyed("k", i % 2 == 0 ? ten : seven)), 1))
            .filter(this::passes)
            .count();

    assertThat(admitted).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void neverAdmitsMoreThanTheLimitFromManyThreads(boolean isBucket)
      throws InterruptedException, ExecutionException {
    KeyedLimit shared = isBucket ? bucket("s", 100) : window("s", 100);
    KeyedLimit other = isBucket ? window("o", 500) : bucket("o", 500);
    int threads = 16;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Long>> counts = new ArrayList<>();

    for (int t = 0; t < threads; t++) {
      List<KeyedLimit> limits = t % 2 == 0 ? List.of(shared, other) : List.of(other, shared);
      counts.add(
          pool.submit(
              () -> {
                start.await();
                return LongStream.range(0, 25)
                    .mapToObj(i -> store.decide(limits, 1))
                    .filter(this::passes)
                    .count();
              }));
    }
    start.countDown();
    long admitted = 0;
    for (Future<Long> count : counts) {
      admitted += count.get();
    }
    pool.shutdown();

    assertThat(admitted).isEqualTo(100);
    assertThat(remaining(other)).isEqualTo(400);
  }

  private void assertRetryAfterIsTight(KeyedLimit limit) {
    List<KeyedLimit> limits = List.of(limit);
    while (passes(store.decide(limits, 1))) {
      now.addAndGet(7);
    }
    for (int i = 0; i < 5; i++) {
      Verdict.Refused refused = (Verdict.Refused) store.decide(limits, 1);
      now.addAndGet(refused.retryAfterMicros() - 1);
      assertThat(store.decide(limits, 1)).isInstanceOf(Verdict.Refused.class);
      now.incrementAndGet();
      assertThat(store.decide(limits, 1)).isInstanceOf(Verdict.Admitted.class);
    }
  }
}
