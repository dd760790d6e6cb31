package dev.comporta.server.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of faults that were reported of how other limiters keep usage. Driven by hand. */
class FaultsOfOthersTest {

  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;

  private final AtomicLong now = new AtomicLong(500_000 * HOUR);
  private final MemoryLimitStore store = new MemoryLimitStore(1_000, now::get);

  // S01, S02, S03: usage that is read and written apart, so that entries are lost
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void countsFiveHundredOfAnHourFromTwentyThreads(boolean isBucket)
      throws InterruptedException, ExecutionException {
    List<KeyedLimit> limits = List.of(isBucket ? bucket("k", 500) : window("k", 500));

    long admitted = countFromThreads(20, 25, i -> isAdmitted(limits, 1));

    assertThat(admitted).isEqualTo(500);
    assertThat(isAdmitted(limits, 1)).isFalse();
  }

  // S02: five of ten that come at once pass, with a second limit beside
  @Test
  void refusesFiveOfTenThatComeAtOnce() throws InterruptedException, ExecutionException {
    List<KeyedLimit> limits = List.of(bucket("second", 5), bucket("minute", 100));

    assertThat(countFromThreads(10, 1, i -> isAdmitted(limits, 1))).isEqualTo(5);
  }

  // S17: two parts of one request that both read before either writes; a batch of n costs n
  @Test
  void batchOfTwoCostsTwoHoweverItIsAsked() throws InterruptedException, ExecutionException {
    List<KeyedLimit> limits = List.of(window("one", 1));

    assertThat(countFromThreads(2, 1, i -> isAdmitted(limits, 1))).isEqualTo(1);
    assertThat(store.decide(List.of(window("batch", 1)), 2)).isInstanceOf(Verdict.Impossible.class);
    assertThat(store.peek(List.of(window("batch", 1))).standings().get(0).remaining()).isEqualTo(1);
  }

  // S24: only every second call is refused once the limit is reached
  @Test
  void refusesEveryCallUntilTheReset() {
    List<KeyedLimit> limits = List.of(bucket("k", 3));
    store.decide(limits, 3);

    List<Boolean> verdicts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      verdicts.add(isAdmitted(limits, 1));
      now.addAndGet(HOUR / 61);
    }

    // One of three comes back each 20 minutes, which 20 of these steps are not quite.
    assertThat(verdicts).containsOnly(false);
    now.addAndGet(HOUR / 61);
    assertThat(isAdmitted(limits, 1)).isTrue();
    assertThat(isAdmitted(limits, 1)).isFalse();
  }

  // S39: a budget that is read before and charged after, so that parallel calls exceed it together
  @Test
  void parallelReservationsNeverExceedTheLimitTogether()
      throws InterruptedException, ExecutionException {
    List<KeyedLimit> limits = List.of(bucket("tokens", 100));

    long reserved = countFromThreads(12, 1, i -> isAdmitted(limits, 10));
    long chargedAtMicros = now.get();
    countFromThreads(10, 1, i -> store.settle(limits, 5, chargedAtMicros).standings().isEmpty());

    assertThat(reserved).isEqualTo(10);
    assertThat(store.decide(limits, 10))
        .isInstanceOfSatisfying(
            Verdict.Refused.class,
            refused -> assertThat(refused.retryAfterMicros()).isEqualTo(HOUR * 60 / 100));
  }

  // S117, S118: a limiter that is disposed of, or leaves its map, while somebody uses it
  @Test
  void nobodyUsesAStateThatWasEvicted() throws InterruptedException, ExecutionException {
    MemoryLimitStore small = new MemoryLimitStore(2, now::get);
    KeyedLimit watched = bucket("watched", 1_000_000);

    long decided =
        countFromThreads(
            8,
            2_000,
            i ->
                small.decide(List.of(i % 2 == 0 ? watched : bucket("other " + i, 1)), 1)
                    instanceof Verdict.Decided);

    assertThat(decided).isEqualTo(16_000);
    assertThat(small.size()).isEqualTo(2);
    small.reset(List.of(watched));
    small.decide(List.of(watched), 1);
    assertThat(small.peek(List.of(watched)).standings().get(0).remaining()).isEqualTo(999_999);
  }

  private static long countFromThreads(int threads, int calls, IntPredicate call)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch ready = new CountDownLatch(threads);
    List<Future<Long>> counts = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      counts.add(
          pool.submit(
              () -> {
                ready.countDown();
                ready.await();
                return IntStream.range(0, calls).filter(call).count();
              }));
    }
    long sum = 0;
    for (Future<Long> count : counts) {
      sum += count.get();
    }
    pool.shutdown();
    return sum;
  }

  private boolean isAdmitted(List<KeyedLimit> limits, long cost) {
    return store.decide(limits, cost) instanceof Verdict.Admitted;
  }

  private static KeyedLimit bucket(String key, long permits) {
    return keyed(key, new TokenBucket(permits, HOUR, permits));
  }

  private static KeyedLimit window(String key, long permits) {
    return keyed(key, new SlidingWindowCounter(permits, HOUR));
  }

  private static KeyedLimit keyed(String key, RateAlgorithm limit) {
    return new KeyedLimit(key, limit);
  }
}
