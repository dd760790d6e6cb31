package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.GuardedStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WarmUpIT {

  private static final long MINUTE = 60_000_000;
  private static final KeyedLimit BUCKET =
      new KeyedLimit("{c}:bucket", new TokenBucket(10, MINUTE, 10));
  private static final KeyedLimit WINDOW =
      new KeyedLimit("{c}:window", new SlidingWindowCounter(20, MINUTE));

  private static RedisServerProcess server;

  @BeforeAll
  static void start() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void forgetAll() {
    server.command("FLUSHALL");
    server.command("SCRIPT", "FLUSH");
  }

  @Test
  void firstQuestionOfEachKindIsOneCallByHash() {
    try (GuardedStore store = opened()) {
      assertOneCallByHash(() -> store.decide(List.of(BUCKET), 1));
      assertOneCallByHash(() -> store.decide(List.of(WINDOW), 1));
      assertOneCallByHash(() -> store.decide(List.of(BUCKET, WINDOW), 1));
      assertOneCallByHash(() -> store.peek(List.of(BUCKET, WINDOW)));
    }
  }

  @Test
  void leavesNoKeyBehind() {
    try (GuardedStore store = opened()) {
      assertThat(store.isShared()).isTrue();
      assertThat(server.keys())
          .allMatch(key -> key.startsWith("comporta:warm-up:{"))
          .allMatch(key -> Long.parseLong(server.command("PTTL", key).substring(1)) <= 1_003);
      RedisServerProcess.await("its keys have expired", () -> server.keys().isEmpty());
    }
  }

  @Test
  void opensAlthoughRedisRefusesToDecide() {
    server.command("CONFIG", "SET", "maxmemory", "1");
    try (GuardedStore store = opened()) {
      assertThat(server.keys()).isEmpty();
      assertThat(store.isShared()).isTrue();
    } finally {
      server.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  private static GuardedStore opened() {
    return RedisStores.open(
        RedisOptions.at(server.address()).within(Duration.ofSeconds(5)),
        new MemoryLimitStore(100, () -> 1),
        new GuardOptions(
            Duration.ofSeconds(5),
            GuardOptions.defaults().onFailure(),
            100,
            GuardOptions.DEFAULT_RETRY_EVERY),
        Duration.ofSeconds(10));
  }

  private static void assertOneCallByHash(Runnable question) {
    long byHashBefore = server.callsOf("evalsha");
    long othersBefore = others();

    question.run();

    assertThat(server.callsOf("evalsha") - byHashBefore).isEqualTo(1);
    assertThat(others()).isEqualTo(othersBefore);
  }

  private static long others() {
    return server.callsOf("eval") + server.callsOf("script|load");
  }
}
