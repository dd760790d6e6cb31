package dev.comporta.server.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several limits on one request. The time stands still. */
class AllOrNothingTest {

  private static final long HOUR = 3_600_000_000L;
  private static final long NOW = 500_000 * HOUR;

  private final AtomicLong readings = new AtomicLong();
  private final MemoryLimitStore store =
      new MemoryLimitStore(
          1_000,
          () -> {
            readings.incrementAndGet();
            return NOW;
          });

  // S18: one caller sends 20 against its own 1 and the shared 10
  @Test
  void whoIsRefusedByItsOwnLimitTakesNothingFromTheSharedOne() {
    KeyedLimit shared = limit("shared", 10);
    List<KeyedLimit> limits = List.of(limit("caller", 1), shared);

    long admitted = IntStream.range(0, 20).filter(i -> isAdmitted(limits)).count();

    assertThat(admitted).isEqualTo(1);
    assertThat(remaining(shared)).isEqualTo(9);
    assertThat(isAdmitted(List.of(limit("next caller", 1), shared))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 2", "0, 2, 1", "1, 0, 2", "1, 2, 0", "2, 0, 1", "2, 1, 0"})
  void orderOfThreeLimitsIsIrrelevant(int first, int second, int third) {
    List<KeyedLimit> declared = List.of(limit("a", 3), limit("b", 7), limit("c", 5));
    List<KeyedLimit> limits =
        List.of(declared.get(first), declared.get(second), declared.get(third));

    long admitted = IntStream.range(0, 10).filter(i -> isAdmitted(limits)).count();

    assertThat(admitted).isEqualTo(3);
    assertThat(store.peek(declared).standings())
        .extracting(Standing::remaining)
        .containsExactly(0L, 4L, 2L);
    assertThat(((Verdict.Refused) store.decide(limits, 1)).binding())
        .isEqualTo(limits.indexOf(declared.get(0)));
  }

  @Test
  @Timeout(60)
  void sixtyFourThreadsInMixedOrdersAdmitExactlyTheSmallestLimit()
      throws InterruptedException, ExecutionException {
    int threads = 64;
    List<KeyedLimit> declared = List.of(limit("a", 5_000), limit("b", 700), limit("c", 900));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch ready = new CountDownLatch(threads);
    List<Future<Long>> counts = new ArrayList<>();

    for (int t = 0; t < threads; t++) {
      Random random = new Random(t);
      counts.add(
          pool.submit(
              () -> {
                ready.countDown();
                ready.await();
                return IntStream.range(0, 200)
                    .filter(i -> isAdmitted(shuffled(declared, random)))
                    .count();
              }));
    }
    long admitted = 0;
    for (Future<Long> count : counts) {
      admitted += count.get();
    }
    pool.shutdown();

    assertThat(admitted).isEqualTo(700);
    assertThat(store.peek(declared).standings())
        .extracting(Standing::remaining)
        .containsExactly(4_300L, 0L, 200L);
  }

  // Surcharges of all limits, refusals and resets between decisions: nobody waits for ever.
  @Test
  @Timeout(60)
  void settlementsResetsAndMovesFromManyThreadsEnd()
      throws InterruptedException, ExecutionException {
    int threads = 16;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Long>> counts = new ArrayList<>();

    for (int t = 0; t < threads; t++) {
      Random random = new Random(t);
      counts.add(
          pool.submit(
              () ->
                  IntStream.range(0, 2_000)
                      .filter(i -> isDone(random, random.nextInt(8)))
                      .count()));
    }
    long done = 0;
    for (Future<Long> count : counts) {
      done += count.get();
    }
    pool.shutdown();

    assertThat(done).isEqualTo(threads * 2_000L);
  }

  @Test
  void readsTheClockOncePerQuestion() {
    KeyedLimit one = limit("one", 2);
    List<KeyedLimit> both = List.of(limit("two", 5), one);

    store.decide(List.of(one), 1);
    store.decide(List.of(one), 1);
    store.decide(List.of(one), 1);
    store.decide(List.of(one), 3);
    store.decide(both, 1);
    store.decide(List.of(limit("three", 5), limit("two", 5)), 1);
    store.peek(both);
    store.settle(both, 1, NOW);
    store.settle(both, -1, NOW);

    assertThat(readings).hasValue(9);
  }

  @Test
  void refusesTwoLimitsUnderOneKey() {
    List<KeyedLimit> limits = List.of(limit("a", 3), limit("b", 3), limit("a", 7));

    assertThatThrownBy(() -> store.decide(limits, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keys of one request must differ");
  }

  @Test
  void twoLimitsThatSwappedTheirKeysKeepTheirOwnUsage() {
    store.decide(List.of(limit("a", 10)), 3);
    store.decide(List.of(limit("b", 10)), 5);

    List<KeyedLimit> swapped = List.of(moved("a", "b"), moved("b", "a"));

    assertThat(store.peek(swapped).standings())
        .extracting(Standing::remaining)
        .containsExactly(7L, 5L);
  }

  @Test
  void firstOfTwoLimitsWithOneFormerKeyTakesIt() {
    store.decide(List.of(limit("old", 10)), 3);

    store.decide(List.of(moved("b", "old"), moved("a", "old")), 1);

    assertThat(remaining(limit("b", 10))).isEqualTo(6);
    assertThat(remaining(limit("a", 10))).isEqualTo(9);
  }

  @Test
  void usageWithoutEffectGivesWayToUsageUnderAFormerKey() {
    AtomicLong now = new AtomicLong(NOW);
    MemoryLimitStore moving = new MemoryLimitStore(10, now::get);
    KeyedLimit minute = new KeyedLimit("a", new TokenBucket(10, HOUR / 60, 10));
    moving.decide(List.of(minute), 10);
    moving.decide(List.of(limit("old", 10)), 4);
    now.addAndGet(HOUR / 60);

    Verdict verdict = moving.decide(List.of(moved("a", "old")), 1);

    assertThat(((Verdict.Decided) verdict).standings().get(0).remaining()).isEqualTo(5);
    assertThat(moving.peek(List.of(limit("old", 10))).standings().get(0).remaining()).isEqualTo(10);
  }

  private boolean isDone(Random random, int what) {
    List<KeyedLimit> limits =
        shuffled(List.of(moved("a", "d"), moved("b", "a"), limit("c", 10)), random)
            .subList(0, 1 + random.nextInt(3));
    switch (what) {
      case 0 -> store.settle(limits, 3, NOW);
      case 1 -> store.settle(limits, -2, NOW);
      case 2 -> store.reset(limits);
      case 3 -> store.peek(limits);
      case 4 -> store.decide(List.of(limit("d", 10)), 1);
      default -> store.decide(limits, 1 + random.nextInt(3));
    }
    return true;
  }

  private boolean isAdmitted(List<KeyedLimit> limits) {
    return store.decide(limits, 1) instanceof Verdict.Admitted;
  }

  private long remaining(KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }

  private static List<KeyedLimit> shuffled(List<KeyedLimit> limits, Random random) {
    List<KeyedLimit> shuffled = new ArrayList<>(limits);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  private static KeyedLimit limit(String key, long permits) {
    return new KeyedLimit(key, new TokenBucket(permits, HOUR, permits));
  }

  private static KeyedLimit moved(String key, String formerKey) {
    return new KeyedLimit(key, new TokenBucket(10, HOUR, 10), List.of(formerKey));
  }
}
