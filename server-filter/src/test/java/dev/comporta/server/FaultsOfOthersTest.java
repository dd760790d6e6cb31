package dev.comporta.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.caller.ClientAddress;
import dev.comporta.server.policy.SpanWindow;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of faults that were reported of other limiters. The time is driven by hand. */
class FaultsOfOthersTest {

  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** A multiple of every window used here. */
  private static final long START = 20_834 * DAY;

  private final AtomicLong now = new AtomicLong(START);
  private final MemoryLimitStore store = new MemoryLimitStore(10_000, now::get);

  enum Kind {
    BUCKET,
    WINDOW,
    LOG,
    FIXED,
    OBSERVED,
    STRICT;

    RateAlgorithm of(long permits, long windowMicros) {
      return switch (this) {
        case BUCKET -> new TokenBucket(permits, windowMicros, permits);
        case WINDOW -> new SlidingWindowCounter(permits, windowMicros);
        case LOG -> new SlidingWindowLog(permits, windowMicros);
        case OBSERVED -> new SlidingWindowCounter(permits, windowMicros, 10, Estimate.OBSERVED);
        case STRICT -> new SlidingWindowCounter(permits, windowMicros, 10, Estimate.STRICT);
        case FIXED ->
            new FixedWindow(permits, new SpanWindow(Duration.ofMillis(windowMicros / MILLI)));
      };
    }

    KeyedLimit keyed(long permits, long windowMicros) {
      return new KeyedLimit(name(), of(permits, windowMicros));
    }
  }

  // S01, S02, S03, S81: reading, waiting and writing apart; optimistic retries that run out
  @ParameterizedTest
  @EnumSource(Kind.class)
  void admitsExactlyTheLimitFromFourHundredThreadsAtOnce(Kind kind)
      throws InterruptedException, ExecutionException {
    int threads = 400;
    List<KeyedLimit> limits = List.of(kind.keyed(100, HOUR));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch ready = new CountDownLatch(threads);
    List<Future<Boolean>> verdicts = new ArrayList<>();

    for (int i = 0; i < threads; i++) {
      verdicts.add(
          pool.submit(
              () -> {
                ready.countDown();
                ready.await();
                return isAdmitted(limits, 1);
              }));
    }
    int admitted = 0;
    for (Future<Boolean> verdict : verdicts) {
      admitted += verdict.get() ? 1 : 0;
    }
    pool.shutdown();

    assertThat(admitted).isEqualTo(100);
  }

  // S05, S06: requests of one instant that fall into one entry
  @ParameterizedTest
  @EnumSource(Kind.class)
  void countsEachOfManyRequestsOfOneInstant(Kind kind) {
    assertThat(admitted(List.of(kind.keyed(10, SECOND)), 100, 0)).isEqualTo(10);
  }

  // S06: more permits than instants that a clock of milliseconds can tell apart
  @ParameterizedTest
  @EnumSource(names = {"WINDOW", "LOG", "FIXED", "OBSERVED", "STRICT"})
  void countsMorePermitsThanThereAreMilliseconds(Kind kind) {
    List<KeyedLimit> limits = List.of(kind.keyed(3_000, SECOND));

    long admitted = 0;
    for (int millis = 0; millis < 1_000; millis++) {
      admitted += admitted(limits, 5, 0);
      now.addAndGet(MILLI);
    }

    assertThat(admitted).isEqualTo(3_000);
  }

  // S10: a bucket that fills at once besides refilling. 3 at first and 3 a second for 59.9 s: 182.7
  @Test
  void bucketThatIsAskedWithoutPauseGivesItsBurstAndItsRefillOnly() {
    List<KeyedLimit> limits = List.of(Kind.BUCKET.keyed(3, SECOND));

    assertThat(admitted(limits, 600, 100 * MILLI)).isEqualTo(182);
  }

  // S11: idle time that becomes credit after a take of the whole burst
  @ParameterizedTest
  @EnumSource(Kind.class)
  void idleTimeGivesOneWholeLimitOnce(Kind kind) {
    List<KeyedLimit> limits = List.of(kind.keyed(10, MINUTE));
    store.decide(limits, 1);
    now.addAndGet(30 * DAY);

    assertThat(isAdmitted(limits, 10)).isTrue();
    assertThat(isAdmitted(limits, 1)).isFalse();
  }

  // S13: at the edge of a window the request before is neither gone too early nor counted too long
  @ParameterizedTest
  @CsvSource({"BUCKET, 10", "WINDOW, 20", "LOG, 10", "FIXED, 10", "OBSERVED, 10", "STRICT, 10"})
  void limitOfOneLetsOneThroughAtTheEdge(Kind kind, long seconds) {
    List<KeyedLimit> limits = List.of(kind.keyed(1, 10 * SECOND));
    store.decide(limits, 1);

    now.addAndGet(seconds * SECOND - 1);
    boolean isEarlyAdmitted = isAdmitted(limits, 1);
    now.incrementAndGet();

    assertThat(isEarlyAdmitted).isFalse();
    assertThat(admitted(limits, 2, 0)).isEqualTo(1);
  }

  // S18, S19: 10 in the first minute, and 10 more in the second as the weight of those falls
  @Test
  void longLimitCountsOnlyWhatTheShortOneAdmitted() {
    KeyedLimit hourly = new KeyedLimit("hourly", new SlidingWindowCounter(30, 30 * MINUTE));
    List<KeyedLimit> limits = List.of(Kind.WINDOW.keyed(10, MINUTE), hourly);

    assertThat(admitted(limits, 31, 4 * SECOND)).isEqualTo(20);
    assertThat(standing(hourly).remaining()).isEqualTo(10);
  }

  // S21: the seventh waits until the hourly bucket has one again: 600 s after its first
  @Test
  void refusalsOfTheSpacingSpendNothingOfTheHour() {
    KeyedLimit spacing = new KeyedLimit("spacing", new TokenBucket(1, SECOND, 1));
    List<KeyedLimit> limits = List.of(spacing, Kind.BUCKET.keyed(6, HOUR));

    assertThat(admitted(limits, 10, 100 * MILLI)).isEqualTo(1);
    assertThat(admitted(limits, 50, 100 * MILLI)).isEqualTo(5);
    assertThat(refused(limits, 1).retryAfterMicros()).isEqualTo(594 * SECOND);
  }

  // S25, S32: the sum of costs
  @ParameterizedTest
  @EnumSource(Kind.class)
  void costsThatAreRefusedSpendNothingAndThoseAdmittedAddUp(Kind kind) {
    List<KeyedLimit> limits = List.of(kind.keyed(10, HOUR));

    assertThat(IntStream.of(8, 3, 5, 1, 2, 1, 1).mapToObj(cost -> isAdmitted(limits, cost)))
        .containsExactly(true, false, false, true, false, true, false);
  }

  // S26: who polls while it is refused recovers as early as who does not
  @ParameterizedTest
  @CsvSource({"BUCKET, 11", "WINDOW, 6", "LOG, 11", "FIXED, 11", "OBSERVED, 11", "STRICT, 11"})
  void pollingDoesNotKeepACallerOut(Kind kind, long admissions) {
    List<KeyedLimit> limits = List.of(kind.keyed(1, 5 * SECOND));

    assertThat(admitted(limits, 51, SECOND)).isEqualTo(admissions);
  }

  // S35, S51, S52, S53: whatever happened, also changed limits and a clock that stepped
  @RepeatedTest(20)
  void standingsStayInRangeWhateverHappens(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      KeyedLimit limit = kind.keyed(1 + random.nextInt(20), (1 + random.nextInt(3)) * SECOND);

      Verdict.Decided verdict =
          (Verdict.Decided) store.decide(List.of(limit), 1 + random.nextInt(8));

      Standing standing = verdict.standings().get(0);
      String at = "seed %d, round %d: %s".formatted(seed, round, verdict);
      assertThat(standing.remaining()).as(at).isBetween(0L, limit.limit().limit());
      assertThat(standing.limit()).as(at).isEqualTo(limit.limit().limit());
      assertThat(standing.resetAfterMicros() > 0)
          .as(at)
          .isEqualTo(standing.remaining() < standing.limit());
      assertThat(standing.nextAfterMicros() > 0).as(at).isEqualTo(standing.remaining() == 0);
      assertThat(standing.nextAfterMicros())
          .as(at)
          .isLessThanOrEqualTo(standing.resetAfterMicros());
      if (verdict instanceof Verdict.Refused refused) {
        assertThat(refused.retryAfterMicros()).as(at).isBetween(1L, 6 * SECOND);
      }
      now.addAndGet(random.nextInt(2_000_000) - 500_000L);
    }
  }

  // S52, S90: 2 days less floor(199 days / used) for a window; a 2000th of a day each for a bucket
  @ParameterizedTest
  @CsvSource({
    "WINDOW, 199, 1, 0",
    "WINDOW, 200, 0, 86832000000",
    "WINDOW, 201, 0, 87259701493",
    "WINDOW, 2000, 0, 164203200000",
    "BUCKET, 199, 1, 0",
    "BUCKET, 200, 0, 43200000",
    "BUCKET, 201, 0, 86400000",
    "BUCKET, 2000, 0, 77803200000",
    "LOG, 2000, 0, 86400000000",
    "FIXED, 2000, 0, 86400000000",
  })
  void limitCutBelowWhatIsUsedLeavesNothingAndAPositiveWait(
      Kind kind, long used, long remaining, long nextAfterMicros) {
    store.decide(List.of(kind.keyed(2_000, DAY)), used);

    Standing standing = standing(kind.keyed(200, DAY));

    assertThat(standing.limit()).isEqualTo(200);
    assertThat(standing.remaining()).isEqualTo(remaining);
    assertThat(standing.nextAfterMicros()).isEqualTo(nextAfterMicros);
  }

  // S84, S85, S86: a new limit is in force at the next request, and what was used stays used
  @ParameterizedTest
  @CsvSource({
    "BUCKET, 10, 3600, 6",
    "BUCKET, 20, 3600, 16",
    "BUCKET, 5, 3600, 1",
    "BUCKET, 4, 3600, 0",
    "BUCKET, 10, 7200, 6",
    "BUCKET, 20, 1800, 16",
    "WINDOW, 10, 3600, 6",
    "WINDOW, 20, 3600, 16",
    "WINDOW, 5, 3600, 1",
    "WINDOW, 4, 3600, 0",
    "WINDOW, 10, 7200, 6",
    "WINDOW, 20, 1800, 16",
    "LOG, 10, 7200, 6",
    "LOG, 4, 1800, 0",
    "OBSERVED, 20, 1800, 16",
    "STRICT, 5, 7200, 1",
    "FIXED, 10, 7200, 6",
    "FIXED, 20, 1800, 16",
  })
  void changedLimitIsInForceAtOnceAndKeepsWhatIsUsed(
      Kind kind, long permits, long seconds, long remaining) {
    store.decide(List.of(kind.keyed(10, HOUR)), 4);
    List<KeyedLimit> changed = List.of(kind.keyed(permits, seconds * SECOND));

    assertThat(admitted(changed, 30, 0)).isEqualTo(remaining);
  }

  // S91: a limit that is lowered while nothing of it is used never comes back
  @ParameterizedTest
  @EnumSource(Kind.class)
  void limitThatIsLoweredWhileAllIsLeftGoesOnWithTheNewOne(Kind kind) {
    List<KeyedLimit> lowered = List.of(kind.keyed(2, SECOND));
    store.decide(List.of(kind.keyed(5, SECOND)), 1);
    now.addAndGet(10 * SECOND);

    for (int period = 0; period < 3; period++) {
      assertThat(admitted(lowered, 5, 0)).isEqualTo(2);
      now.addAndGet(2 * SECOND);
    }
  }

  // S84: the opposite trap, the same limit made anew before each request
  @ParameterizedTest
  @EnumSource(Kind.class)
  void sameLimitMadeAnewForgetsNothing(Kind kind) {
    long admitted =
        IntStream.range(0, 20).filter(i -> isAdmitted(List.of(kind.keyed(5, MINUTE)), 1)).count();

    assertThat(admitted).isEqualTo(5);
  }

  // S87: the number of limits may change
  @Test
  void limitThatIsAddedOrTakenAwayLeavesTheOtherAsItIs() {
    KeyedLimit bucket = Kind.BUCKET.keyed(10, HOUR);
    KeyedLimit window = Kind.WINDOW.keyed(20, HOUR);
    store.decide(List.of(bucket), 3);
    store.decide(List.of(bucket, window), 2);
    store.decide(List.of(window), 1);

    assertThat(standing(bucket).remaining()).isEqualTo(5);
    assertThat(standing(window).remaining()).isEqualTo(17);
  }

  // S93: no rate loses its fractions to a caller that comes too often: n calls every d in all
  @ParameterizedTest
  @CsvSource({
    "1, 1000, 101, 600, 51", // every second call, 1.2 s apart
    "1, 1000, 101, 999, 51", // 999 ms is too early each time
    "1, 1000, 101, 1000, 101",
    "10, 30000, 61, 1000, 30", // 10 at first, and 20 that 60 s bring
    "3, 1000, 1001, 1, 6", // 3 at first, and 3 that 1 s brings
    "7, 60000, 60001, 1, 14", // 7 at first, and 7 that 60 s bring
  })
  void fractionsSurviveEveryCall(
      long permits, long windowMillis, int calls, long apartMillis, long admissions) {
    List<KeyedLimit> limits = List.of(Kind.BUCKET.keyed(permits, windowMillis * MILLI));

    assertThat(admitted(limits, calls, apartMillis * MILLI)).isEqualTo(admissions);
  }

  // S105, S118: a map of callers without bound
  @Test
  void remembersNoMoreCallersThanItMay() {
    MemoryLimitStore small = new MemoryLimitStore(100, now::get);
    List<KeyedLimit> callers =
        IntStream.range(0, 10_000)
            .mapToObj(i -> new KeyedLimit("caller " + i, new TokenBucket(10, HOUR, 10)))
            .toList();

    callers.forEach(caller -> small.decide(List.of(caller), 1));

    assertThat(callers.stream().filter(caller -> remaining(small, caller) < 10).count())
        .isBetween(1L, 100L);
  }

  // S117, S118: a state that is evicted while it is being used
  @Test
  void evictionDuringARequestFailsNobody() throws InterruptedException, ExecutionException {
    MemoryLimitStore small = new MemoryLimitStore(1, now::get);
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Long>> counts = new ArrayList<>();

    for (int t = 0; t < threads; t++) {
      int seed = t;
      counts.add(
          pool.submit(
              () ->
                  new Random(seed)
                      .ints(2_000, 0, 50)
                      .filter(i -> isDecidedForTwo(small, "caller " + i))
                      .count()));
    }
    long decided = 0;
    for (Future<Long> count : counts) {
      decided += count.get();
    }
    pool.shutdown();

    assertThat(decided).isEqualTo(16_000);
  }

  // S107, S108: a prefix that is meant for IPv6 and cuts off the whole of an IPv4 address
  @ParameterizedTest
  @ValueSource(ints = {1, 32, 48, 56, 64, 96, 128})
  void noPrefixPutsTwoMappedAddressesTogether(int prefix) {
    String mapped = identity("::ffff:192.0.2.1", prefix);

    assertThat(mapped)
        .isEqualTo(identity("192.0.2.1", prefix))
        .isNotEqualTo(identity("::ffff:192.0.2.2", prefix))
        .isNotEqualTo(identity("::ffff:192.0.3.1", prefix));
  }

  private static String identity(String text, int prefix) {
    return ClientAddress.parse(text).orElseThrow().identity(prefix);
  }

  private long admitted(List<KeyedLimit> limits, int calls, long apartMicros) {
    long admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += isAdmitted(limits, 1) ? 1 : 0;
      now.addAndGet(apartMicros);
    }
    return admitted;
  }

  private boolean isAdmitted(List<KeyedLimit> limits, long cost) {
    return store.decide(limits, cost) instanceof Verdict.Admitted;
  }

  private Verdict.Refused refused(List<KeyedLimit> limits, long cost) {
    return (Verdict.Refused) store.decide(limits, cost);
  }

  private Standing standing(KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0);
  }

  private static long remaining(MemoryLimitStore small, KeyedLimit limit) {
    return small.peek(List.of(limit)).standings().get(0).remaining();
  }

  private static boolean isDecidedForTwo(MemoryLimitStore small, String caller) {
    RateAlgorithm bucket = new TokenBucket(5, HOUR, 5);
    List<KeyedLimit> limits =
        List.of(new KeyedLimit(caller, bucket), new KeyedLimit(caller + " again", bucket));
    return small.decide(limits, 1) instanceof Verdict.Decided;
  }
}
