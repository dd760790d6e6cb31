package dev.comporta.server.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who goes when the store is full. The time is driven by hand. */
class EvictionTest {

  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;

  private final AtomicLong now = new AtomicLong(500_000 * HOUR);

  @Test
  void oneWithoutEffectGoesFirst() {
    MemoryLimitStore store = new MemoryLimitStore(3, now::get);
    KeyedLimit recovered = bucket("recovered", 10, SECOND);
    KeyedLimit hardlyUsed = bucket("hardly used", 1_000, HOUR);
    KeyedLimit spent = bucket("spent", 10, HOUR);
    store.decide(List.of(recovered), 10);
    now.addAndGet(SECOND);
    store.decide(List.of(hardlyUsed), 1);
    store.decide(List.of(spent), 10);

    store.decide(List.of(bucket("newcomer", 10, HOUR)), 1);

    assertThat(remaining(store, hardlyUsed)).isEqualTo(999);
    assertThat(remaining(store, spent)).isZero();
    assertThat(remaining(store, bucket("newcomer", 10, HOUR))).isEqualTo(9);
  }

  @Test
  void oneThatIsAboutToRecoverStays() {
    MemoryLimitStore store = new MemoryLimitStore(2, now::get);
    KeyedLimit recovering = bucket("recovering", 10, SECOND);
    KeyedLimit other = bucket("other", 10, HOUR);
    store.decide(List.of(recovering), 10);
    store.decide(List.of(other), 1);
    now.addAndGet(SECOND / 10 - 1);

    store.decide(List.of(bucket("newcomer", 10, HOUR)), 1);

    assertThat(remaining(store, recovering)).isZero();
    assertThat(remaining(store, other)).isEqualTo(10);
  }

  @Test
  void theLargestShareLeftGoesNextAndNotTheLargestNumber() {
    MemoryLimitStore store = new MemoryLimitStore(3, now::get);
    KeyedLimit nineOfTen = bucket("nine of ten", 10, HOUR);
    KeyedLimit eightHundredOfThousand = window("eight hundred", 1_000);
    KeyedLimit refused = bucket("refused", 1, HOUR);
    store.decide(List.of(nineOfTen), 1);
    store.decide(List.of(eightHundredOfThousand), 200);
    store.decide(List.of(refused), 1);
    store.decide(List.of(refused), 1);

    store.decide(List.of(bucket("newcomer", 10, HOUR)), 5);

    assertThat(remaining(store, nineOfTen)).isEqualTo(10);
    assertThat(remaining(store, eightHundredOfThousand)).isEqualTo(800);
    assertThat(remaining(store, refused)).isZero();
  }

  /** Else callers of a future that has been taken back would push out all that come. */
  @ParameterizedTest
  @ValueSource(ints = {9, 10, 11})
  void afterAStepBackCallersOfBeforeGoAsTheyWouldHaveGone(int asked) {
    MemoryLimitStore store = new MemoryLimitStore(10, now::get);
    for (int caller = 0; caller < 10; caller++) {
      for (int i = 0; i < asked; i++) {
        store.decide(List.of(bucket("before " + caller, 10, 60 * SECOND)), 1);
      }
    }
    now.addAndGet(-24 * HOUR);
    // Those who had nothing left then are kept first while they would have been refused.
    for (int second = 0; second < 60; second++) {
      now.addAndGet(SECOND);
      store.decide(List.of(bucket("ann", 10, 60 * SECOND)), 1);
      store.decide(List.of(bucket("bob", 10, 60 * SECOND)), 1);
    }

    int admitted = 0;
    for (int second = 0; second < 300; second++) {
      now.addAndGet(SECOND);
      for (String caller : List.of("ann", "bob")) {
        Verdict verdict = store.decide(List.of(bucket(caller, 10, 60 * SECOND)), 1);
        admitted += verdict instanceof Verdict.Admitted ? 1 : 0;
      }
    }

    assertThat(admitted).isLessThanOrEqualTo(2 * (10 + 300 / 6));
  }

  @Test
  void oneThatIsBeingRefusedGoesAfterOneThatHasOnlySpentAll() {
    MemoryLimitStore store = new MemoryLimitStore(2, now::get);
    KeyedLimit refused = bucket("refused", 10, HOUR);
    KeyedLimit spent = bucket("spent", 10, HOUR);
    store.decide(List.of(refused), 9);
    store.decide(List.of(refused), 2);
    store.decide(List.of(spent), 10);

    store.decide(List.of(bucket("newcomer", 10, HOUR)), 1);

    assertThat(remaining(store, refused)).isEqualTo(1);
    assertThat(remaining(store, spent)).isEqualTo(10);
  }

  @Test
  void whenAllAreBeingRefusedTheOneThatIsAdmittedSoonestGoes() {
    MemoryLimitStore store = new MemoryLimitStore(3, now::get);
    List<KeyedLimit> refused =
        List.of(bucket("a", 2, HOUR), bucket("b", 2, HOUR / 2), bucket("c", 2, 2 * HOUR));
    for (KeyedLimit limit : refused) {
      store.decide(List.of(limit), 2);
      store.decide(List.of(limit), 1);
    }

    Verdict newcomer = store.decide(List.of(bucket("newcomer", 1, HOUR)), 1);

    assertThat(newcomer).isInstanceOf(Verdict.Admitted.class);
    assertThat(store.decide(List.of(bucket("newcomer", 1, HOUR)), 1))
        .isInstanceOf(Verdict.Refused.class);
    assertThat(refused).extracting(limit -> remaining(store, limit)).containsExactly(0L, 2L, 0L);
  }

  @Test
  void resetMakesOneTheFirstToGo() {
    MemoryLimitStore store = new MemoryLimitStore(2, now::get);
    KeyedLimit reset = bucket("reset", 10, HOUR);
    KeyedLimit hardlyUsed = bucket("hardly used", 1_000, HOUR);
    store.decide(List.of(reset), 10);
    store.decide(List.of(reset), 1);
    store.decide(List.of(hardlyUsed), 1);

    store.reset(List.of(reset));
    store.decide(List.of(bucket("newcomer", 10, HOUR)), 1);

    assertThat(remaining(store, hardlyUsed)).isEqualTo(999);
  }

  @Test
  void refusalOfANewcomerTakesNoPlace() {
    MemoryLimitStore store = new MemoryLimitStore(2, now::get);
    KeyedLimit everyone = window("everyone", 1);
    store.decide(List.of(everyone, bucket("first", 10, HOUR)), 1);

    for (int i = 0; i < 100; i++) {
      store.decide(List.of(bucket("newcomer " + i, 10, HOUR), everyone), 1);
      store.decide(List.of(bucket("greedy " + i, 10, HOUR)), 11);
    }

    assertThat(store.size()).isEqualTo(2);
    assertThat(remaining(store, bucket("first", 10, HOUR))).isEqualTo(9);
  }

  @Test
  void neitherPeekNorRefundNorResetTakesAPlace() {
    MemoryLimitStore store = new MemoryLimitStore(10, now::get);
    List<KeyedLimit> limits = List.of(bucket("a", 10, HOUR), window("b", 10));

    store.peek(limits);
    store.settle(limits, -1, now.get());
    store.reset(limits);

    assertThat(store.size()).isZero();
  }

  @Test
  void twoLimitsAreDecidedInAStoreForOneState() {
    MemoryLimitStore store = new MemoryLimitStore(1, now::get);
    List<KeyedLimit> limits = List.of(bucket("a", 10, HOUR), window("b", 10));

    Verdict verdict = store.decide(limits, 1);

    assertThat(verdict).isInstanceOf(Verdict.Admitted.class);
    assertThat(store.size()).isEqualTo(1);
  }

  @Test
  void floodPushesOutNobodyWhoIsBeingRefused() {
    MemoryLimitStore store = new MemoryLimitStore(1_000, now::get);
    List<KeyedLimit> refused =
        IntStream.range(0, 100).mapToObj(i -> bucket("refused " + i, 5, HOUR)).toList();
    for (KeyedLimit limit : refused) {
      store.decide(List.of(limit), 5);
      store.decide(List.of(limit), 1);
    }

    for (int i = 0; i < 50_000; i++) {
      store.decide(List.of(bucket("flood " + i, 5, HOUR)), 1);
    }

    assertThat(store.size()).isEqualTo(1_000);
    assertThat(refused).allMatch(limit -> remaining(store, limit) == 0);
  }

  // The limit of everyone is never the best to evict, so all threads must find one and the same.
  @Test
  @Timeout(60)
  void sumIsExactWhileNewcomersEvictEachOther() throws InterruptedException, ExecutionException {
    MemoryLimitStore store = new MemoryLimitStore(24, now::get);
    KeyedLimit everyone = bucket("everyone", 1_000, HOUR);
    store.decide(List.of(everyone), 100);
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Long>> counts = new ArrayList<>();

    for (int t = 0; t < threads; t++) {
      int thread = t;
      counts.add(
          pool.submit(
              () ->
                  IntStream.range(0, 3_000)
                      .filter(
                          i -> {
                            KeyedLimit newcomer = bucket(thread + "-" + i, 1_000_000, HOUR);
                            assertThat(store.size()).isLessThanOrEqualTo(24);
                            return store.decide(
                                    i % 2 == 0
                                        ? List.of(newcomer, everyone)
                                        : List.of(everyone, newcomer),
                                    1)
                                instanceof Verdict.Admitted;
                          })
                      .count()));
    }
    long admitted = 0;
    for (Future<Long> count : counts) {
      admitted += count.get();
    }
    pool.shutdown();

    assertThat(admitted).isEqualTo(900);
    assertThat(remaining(store, everyone)).isZero();
  }

  private static long remaining(MemoryLimitStore store, KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }

  private static KeyedLimit bucket(String key, long permits, long windowMicros) {
    return new KeyedLimit(key, new TokenBucket(permits, windowMicros, permits));
  }

  private static KeyedLimit window(String key, long permits) {
    return new KeyedLimit(key, new SlidingWindowCounter(permits, HOUR));
  }
}
