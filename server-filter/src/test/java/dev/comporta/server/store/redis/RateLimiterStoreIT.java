package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The traps of an {@code RRateLimiter}, closed. */
class RateLimiterStoreIT {

  private static final long SECOND = 1_000_000;
  private static final String KEY = "shop:2:{c}:search:1m:sl";
  private static final List<String> ITS_KEYS = List.of(KEY, KEY + ":value", KEY + ":permits");
  private static final List<KeyedLimit> FIVE = log(5, 60 * SECOND);

  private static RedisServerProcess server;
  private static WaitingStore store;
  private static WaitingStore otherNode;

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
    store = node();
    otherNode = node();
  }

  @AfterAll
  static void close() {
    store.close();
    otherNode.close();
    server.close();
  }

  @BeforeEach
  void forgetAll() {
    server.command("FLUSHALL");
  }

  @Test
  void admissionIsTwoTripsAndARefusalOne() {
    store.decide(FIVE, 1);
    long before = trips();
    store.decide(FIVE, 4);
    long admitted = trips();

    store.decide(FIVE, 1);

    assertThat(admitted - before).isEqualTo(2);
    assertThat(trips() - admitted).isEqualTo(1);
  }

  @Test
  void everyKeyLivesForTheWindowAndASecond() {
    store.decide(FIVE, 1);

    assertThat(server.keys()).containsExactlyInAnyOrderElementsOf(ITS_KEYS);
    assertThat(ITS_KEYS).allMatch(key -> millisToLive(key) > 55_000 && millisToLive(key) <= 61_000);
  }

  @Test
  void healsKeysWithoutATimeToLiveAtARefusal() {
    store.decide(FIVE, 5);
    ITS_KEYS.forEach(key -> server.command("PERSIST", key));

    assertThat(store.decide(FIVE, 1)).isInstanceOf(Verdict.Refused.class);

    assertThat(ITS_KEYS).allMatch(key -> millisToLive(key) > 0);
  }

  @Test
  void peekWritesNothingAndRefusalOfACallerThatNeverCameNeither() {
    store.peek(FIVE);

    assertThat(store.decide(FIVE, 6)).isInstanceOf(Verdict.Impossible.class);
    assertThat(server.keys()).isEmpty();
  }

  @Test
  void lostSettingsAreMadeAgainAndTheUsageIsKept() {
    store.decide(FIVE, 3);
    server.command("DEL", KEY);

    assertThat(remaining(FIVE)).isEqualTo(2);
    assertThat(store.decide(FIVE, 3)).isInstanceOf(Verdict.Refused.class);
    assertThat(store.decide(FIVE, 2)).isInstanceOf(Verdict.Admitted.class);
    assertThat(store.decide(FIVE, 1)).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void lostValueIsCountedAnewFromThePermits() {
    store.decide(FIVE, 3);
    server.command("DEL", KEY + ":value");

    assertThat(store.decide(FIVE, 3)).isInstanceOf(Verdict.Refused.class);
    assertThat(store.decide(FIVE, 2)).isInstanceOf(Verdict.Admitted.class);
    assertThat(remaining(FIVE)).isZero();
  }

  @Test
  void lostPermitsAreUsageThatIsForgottenAndNoError() {
    store.decide(FIVE, 5);
    server.command("DEL", KEY + ":permits");

    assertThat(store.decide(FIVE, 1)).isInstanceOf(Verdict.Admitted.class);
    assertThat(remaining(FIVE)).isEqualTo(4);
  }

  @Test
  void admitsInAllWhatTheLargerOneOfTwoConfigurationsAllowsWhenTheyTakeTurns() {
    List<KeyedLimit> ten = log(10, 3_600 * SECOND);
    List<KeyedLimit> seven = log(7, 7_200 * SECOND);

    long admitted =
        IntStream.range(0, 60)
            .mapToObj(i -> store.decide(i % 2 == 0 ? ten : seven, 1))
            .filter(Verdict.Admitted.class::isInstance)
            .count();

    assertThat(admitted).isEqualTo(10);
  }

  /** With updateRate alone such a caller has the old rate as long as it keeps asking. */
  @Test
  void loweredRateHoldsForACallerWhoNeverStopsAsking() {
    long window = 800_000;
    for (int i = 0; i < 8; i++) {
      store.decide(log(8, window), 1);
      spin(50);
    }
    List<KeyedLimit> lowered = log(2, window);
    Verdict.Refused first = (Verdict.Refused) store.decide(lowered, 1);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2_400);
    int admitted = 0;
    while (System.nanoTime() < end) {
      admitted += store.decide(lowered, 1) instanceof Verdict.Admitted ? 1 : 0;
    }

    // Room comes when all but one of the eight have left; then two in each window.
    assertThat(first.retryAfterMicros()).isGreaterThan(300_000);
    assertThat(admitted).isBetween(2, 6);
  }

  @Test
  void callerWhoWaitsAsToldIsAdmitted() {
    List<KeyedLimit> two = log(2, SECOND / 2);
    store.decide(two, 2);
    for (int i = 0; i < 3; i++) {
      Verdict.Refused refused = (Verdict.Refused) store.decide(two, 2);
      assertThat(refused.retryAfterMicros()).isBetween(1_000L, SECOND / 2);

      // Its milliseconds begin up to one before those of the answer.
      spin(refused.retryAfterMicros() / 1_000 + 1);

      assertThat(store.decide(two, 2)).isInstanceOf(Verdict.Admitted.class);
    }
  }

  @Test
  void twoNodesNeverAdmitMoreThanTheLimitInAWindow() {
    List<KeyedLimit> shared = log(50, SECOND / 2);
    AtomicInteger admitted = new AtomicInteger();
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(3);
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(
                t ->
                    new Thread(
                        () -> {
                          while (System.nanoTime() < end) {
                            Verdict verdict = (t % 2 == 0 ? store : otherNode).decide(shared, 1);
                            if (verdict instanceof Verdict.Admitted) {
                              admitted.incrementAndGet();
                            }
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    RedisServerProcess.await("all have asked", () -> threads.stream().noneMatch(Thread::isAlive));

    long windows = (System.nanoTime() - start) / TimeUnit.MILLISECONDS.toNanos(500) + 1;
    System.out.printf("RRateLimiter of 50 in 500 ms: %d in %d windows%n", admitted.get(), windows);
    assertThat(admitted.get()).isLessThanOrEqualTo((int) (50 * windows)).isGreaterThan(50);
  }

  @Test
  void saysSoWhenAskedForWhatItCannotDo() {
    List<KeyedLimit> two = Stream.concat(FIVE.stream(), log(9, SECOND).stream()).toList();
    List<KeyedLimit> window = List.of(new KeyedLimit("{c}:w", new SlidingWindowCounter(5, SECOND)));

    assertUnable(() -> store.decide(two, 1));
    assertUnable(() -> store.decide(window, 1));
    assertUnable(() -> store.settle(FIVE, -1, 0));
    assertUnable(() -> store.settle(FIVE, 1, 0));
    assertUnable(() -> store.grant(FIVE, 1));
    assertThat(store.settle(FIVE, 0, 0).standings().get(0).remaining()).isEqualTo(5);
  }

  private static void assertUnable(ThrowingCallable question) {
    assertThatThrownBy(question)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StoreException.class, error -> assertThat(error.isPermanent()).isTrue())
        .hasMessageContaining("comporta.redis.engine=rate-limiter cannot");
  }

  private static void spin(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    RedisServerProcess.await("it is time", () -> System.nanoTime() >= end);
  }

  private static WaitingStore node() {
    RateLimiterStore node =
        new RateLimiterStore(RedisOptions.at(server.address()).within(Duration.ofSeconds(5)));
    assertThat(node.awaitReady(Duration.ofSeconds(10))).isTrue();
    return new WaitingStore(node);
  }

  private static List<KeyedLimit> log(long permits, long windowMicros) {
    return List.of(new KeyedLimit(KEY, new SlidingWindowLog(permits, windowMicros)));
  }

  private static long remaining(List<KeyedLimit> limits) {
    return store.peek(limits).standings().get(0).remaining();
  }

  private static long trips() {
    return server.callsOf("evalsha") + server.callsOf("eval");
  }

  private static long millisToLive(String key) {
    return Long.parseLong(server.command("PTTL", key).substring(1));
  }
}
