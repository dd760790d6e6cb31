package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisLimitStoreIT {

  private static final long MINUTE = 60_000_000;
  private static final KeyedLimit BUCKET =
      new KeyedLimit("{c}:bucket", new TokenBucket(10, MINUTE, 10));
  private static final KeyedLimit WINDOW =
      new KeyedLimit("{c}:window", new SlidingWindowCounter(20, MINUTE));
  private static final KeyedLimit LONG =
      new KeyedLimit("{c}:long", new SlidingWindowCounter(100, 60 * MINUTE));
  private static final List<KeyedLimit> LIMITS = List.of(BUCKET, WINDOW, LONG);

  private static RedisServerProcess server;
  private static RedisLimitStore redis;
  private static WaitingStore store;
  private static WaitingStore otherNode;

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
    redis = node();
    store = new WaitingStore(redis);
    otherNode = new WaitingStore(node());
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
  void decidesThreeLimitsInOneTrip() {
    store.decide(LIMITS, 1);
    long before = server.callsOf("evalsha");
    long othersBefore = server.callsOf("eval") + server.callsOf("script|load");

    for (int i = 0; i < 15; i++) {
      store.decide(LIMITS, 1);
    }

    assertThat(server.callsOf("evalsha") - before).isEqualTo(15);
    assertThat(server.callsOf("eval") + server.callsOf("script|load")).isEqualTo(othersBefore);
  }

  @Test
  void peeksThreeLimitsInOneTripAndWritesNothing() {
    store.peek(LIMITS);
    long before = server.callsOf("evalsha");

    LimitStore.Standings standings = store.peek(LIMITS);

    assertThat(server.callsOf("evalsha") - before).isEqualTo(1);
    assertThat(server.keys()).isEmpty();
    assertThat(standings.standings())
        .extracting(standing -> standing.remaining())
        .containsExactly(10L, 20L, 100L);
  }

  @Test
  void writesNothingForARefusalOfACallerThatNeverCame() {
    Verdict verdict = store.decide(LIMITS, 11);

    assertThat(verdict).isInstanceOf(Verdict.Impossible.class);
    assertThat(server.keys()).isEmpty();
  }

  @Test
  void givesEveryKeyATimeToLiveOfItsEffectAndASecond() {
    store.decide(LIMITS, 5);

    assertThat(server.keys()).hasSize(3);
    assertThat(millisToLive(BUCKET)).isBetween(20_000L, 31_001L);
    assertThat(millisToLive(WINDOW)).isBetween(60_000L, 121_001L);
    assertThat(millisToLive(LONG)).isBetween(3_600_000L, 7_201_001L);
  }

  @Test
  void healsAKeyWithoutATimeToLiveAtTheNextCharge() {
    store.decide(LIMITS, 1);
    LIMITS.forEach(limit -> server.command("PERSIST", limit.key()));

    store.decide(LIMITS, 1);

    assertThat(LIMITS).allMatch(limit -> millisToLive(limit) > 0);
    assertThat(store.peek(List.of(BUCKET)).standings().get(0).remaining()).isEqualTo(8);
  }

  @Test
  void healsAKeyWithoutATimeToLiveAtARefusal() {
    store.decide(LIMITS, 10);
    LIMITS.forEach(limit -> server.command("PERSIST", limit.key()));

    assertThat(store.decide(LIMITS, 1)).isInstanceOf(Verdict.Refused.class);

    assertThat(LIMITS).allMatch(limit -> millisToLive(limit) > 0);
  }

  @Test
  void isLoudAboutAnUnreadableStateAndNamesNoKey() {
    server.command("SET", WINDOW.key(), "garbage");

    assertPermanent(
        () -> store.decide(LIMITS, 1), "Redis answered UNREADABLE the state of limit 2");
    assertPermanent(() -> store.peek(LIMITS), "Redis answered UNREADABLE the state of limit 2");
    assertPermanent(() -> store.grant(LIMITS, 1), "Redis answered UNREADABLE the state of limit 2");
    assertThat(server.keys()).containsExactly(WINDOW.key());
  }

  @Test
  void isLoudAboutAKeyOfAnotherTypeAndNamesNoKey() {
    server.command("RPUSH", WINDOW.key(), "1");

    assertPermanent(() -> store.decide(LIMITS, 1), "Redis answered WRONGTYPE");
    assertPermanent(() -> store.peek(LIMITS), "Redis answered WRONGTYPE");
  }

  @Test
  void aFaultOfOneDecisionFailsNoOtherOfItsCall() {
    server.command("RPUSH", WINDOW.key(), "1");
    server.command("SET", LONG.key(), "garbage");
    List<Question> aboard =
        Stream.of(List.of(BUCKET), List.of(BUCKET, WINDOW), List.of(LONG), List.of(BUCKET))
            .map(limits -> new Question(limits, 1))
            .toList();

    redis.carry(aboard).toCompletableFuture().join();

    assertThat(remaining(aboard.get(0))).isEqualTo(9);
    assertPermanent(() -> aboard.get(1).answer().join(), "Redis answered WRONGTYPE");
    assertPermanent(
        () -> aboard.get(2).answer().join(), "Redis answered UNREADABLE the state of limit 1");
    assertThat(remaining(aboard.get(3))).isEqualTo(8);
  }

  private static long remaining(Question question) {
    return ((Verdict.Decided) question.answer().join()).standings().get(0).remaining();
  }

  @Test
  void carriesOnAfterScriptFlush() {
    store.decide(LIMITS, 1);
    store.peek(LIMITS);
    server.command("SCRIPT", "FLUSH");

    Verdict.Decided verdict = (Verdict.Decided) store.decide(LIMITS, 1);
    server.command("SCRIPT", "FLUSH");
    LimitStore.Standings standings = store.peek(LIMITS);

    assertThat(verdict.standings().get(1).remaining()).isEqualTo(18);
    assertThat(standings.standings().get(1).remaining()).isEqualTo(18);
  }

  @Test
  void startsAnewAfterFlushAll() {
    store.decide(LIMITS, 10);
    server.command("FLUSHALL");

    Verdict.Decided verdict = (Verdict.Decided) store.decide(LIMITS, 1);

    assertThat(verdict.standings().get(0).remaining()).isEqualTo(9);
  }

  @Test
  void twoNodesShareOneLimit() {
    KeyedLimit limit = new KeyedLimit("{c}:h", new TokenBucket(50, 400L * 1_440 * MINUTE, 50));

    long admitted =
        IntStream.range(0, 200)
            .parallel()
            .mapToObj(i -> (i % 2 == 0 ? store : otherNode).decide(List.of(limit), 1))
            .filter(Verdict.Admitted.class::isInstance)
            .count();

    assertThat(admitted).isEqualTo(50);
  }

  @Test
  void takesItsServersFromARedissonFile(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("redisson.yaml");
    Files.writeString(file, "singleServerConfig:\n  address: \"" + server.address() + "\"\n");

    try (WaitingStore configured =
        new WaitingStore(new RedisLimitStore(RedisOptions.configuredBy(file)))) {
      assertThat(configured.decide(LIMITS, 1)).isInstanceOf(Verdict.Admitted.class);
    }
  }

  @Test
  void leavesNoThreadBehindWhenClosed() {
    Set<Thread> others = threads();
    RedisLimitStore closing = new RedisLimitStore(RedisOptions.at(server.address()));
    closing.awaitReady(Duration.ofSeconds(10));
    Set<Thread> own = threads();
    own.removeAll(others);

    closing.close();
    closing.close();

    assertThat(own).isNotEmpty();
    RedisServerProcess.await(
        "the threads of the store have ended", () -> own.stream().noneMatch(Thread::isAlive));
    assertThatThrownBy(() -> new WaitingStore(closing).decide(LIMITS, 1))
        .hasRootCauseMessage("the store is closed");
  }

  /** All but those that the JDK shares. */
  private static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> thread.getName().startsWith("ForkJoinPool.commonPool"));
    return threads;
  }

  private static RedisLimitStore node() {
    RedisLimitStore node =
        new RedisLimitStore(RedisOptions.at(server.address()).within(Duration.ofSeconds(5)));
    assertThat(node.awaitReady(Duration.ofSeconds(10))).isTrue();
    return node;
  }

  private static void assertPermanent(ThrowingCallable question, String message) {
    assertThatThrownBy(question)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StoreException.class, error -> assertThat(error.isPermanent()).isTrue())
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("{c}");
  }

  private static long millisToLive(KeyedLimit limit) {
    return Long.parseLong(server.command("PTTL", limit.key()).substring(1));
  }
}
