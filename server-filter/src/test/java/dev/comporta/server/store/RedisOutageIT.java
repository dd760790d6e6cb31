package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.memory.MemoryLimitStore;
import dev.comporta.server.store.redis.RedisLimitStore;
import dev.comporta.server.store.redis.RedisOptions;
import dev.comporta.server.store.redis.RedisServerProcess;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A real Redis that is killed, frozen, or not there yet, under the load of many threads. */
class RedisOutageIT {

  private static final int THREADS = 16;

  /** Never full again within a test, and never reached by its load. */
  private static final KeyedLimit WIDE = keyed("{c}:wide", 1_000_000);

  private static final KeyedLimit TEN = keyed("{c}:ten", 10);

  private final AtomicLong longestAskedNanos = new AtomicLong();
  private final AtomicLong longestAskingNanos = new AtomicLong();

  @Test
  void neitherFailsNorRefusesWhileRedisIsKilledAndSharesAgainAfterARestart() {
    try (RedisServerProcess server = RedisServerProcess.started();
        GuardedStore one = node(server);
        GuardedStore two = node(server);
        Load load = Load.of(THREADS, () -> one.decide(List.of(WIDE), 1))) {
      load.awaitMore(500);
      server.kill();
      RedisServerProcess.await("the breaker is open", () -> !one.isShared());
      load.awaitMore(5_000);
      server.start();
      RedisServerProcess.await("limits are shared again", one::isShared);
      load.awaitMore(500);
      load.stop();

      System.out.println("killed: " + load.figures() + askingFigure());
      assertThat(load.failures()).isEmpty();
      assertThat(longestAskedNanos).hasValue(GuardOptions.DEFAULT_TIME_BUDGET.toNanos());
      assertThat(load.verdicts()).allMatch(Verdict.Admitted.class::isInstance);
      assertShared(one, two);
    }
  }

  @Test
  void neitherFailsNorRefusesWhileRedisIsFrozen() {
    try (RedisServerProcess server = RedisServerProcess.started();
        GuardedStore one = node(server);
        GuardedStore two = node(server);
        Load load = Load.of(THREADS, () -> one.decide(List.of(WIDE), 1))) {
      load.awaitMore(500);
      server.freeze();
      RedisServerProcess.await("the breaker is open", () -> !one.isShared());
      load.awaitMore(5_000);
      server.thaw();
      RedisServerProcess.await("limits are shared again", one::isShared);
      load.stop();

      System.out.println("frozen: " + load.figures() + askingFigure());
      assertThat(load.failures()).isEmpty();
      assertThat(longestAskedNanos).hasValue(GuardOptions.DEFAULT_TIME_BUDGET.toNanos());
      assertThat(load.verdicts()).allMatch(Verdict.Admitted.class::isInstance);
      assertShared(one, two);
    }
  }

  @Test
  void startsWithoutRedisAndSharesOnceItIsThere() {
    try (RedisServerProcess server = RedisServerProcess.notStarted();
        GuardedStore one = node(server);
        GuardedStore two = node(server)) {
      Verdict alone = one.decide(List.of(TEN), 1);
      server.start();
      assertShared(one, two);

      assertThat(alone).isInstanceOf(Verdict.Admitted.class);
    }
  }

  @Test
  void startsWhileRedisIsFrozenAndSharesOnceItThaws() {
    try (RedisServerProcess server = RedisServerProcess.started()) {
      server.freeze();
      try (GuardedStore one = node(server);
          GuardedStore two = node(server)) {
        Verdict alone = one.decide(List.of(TEN), 1);
        server.thaw();
        assertShared(one, two);

        assertThat(alone).isInstanceOf(Verdict.Admitted.class);
      }
    }
  }

  @Test
  void closesWhileConnecting() {
    try (RedisServerProcess server = RedisServerProcess.started()) {
      server.freeze();

      new RedisLimitStore(RedisOptions.at(server.address())).close();

      RedisServerProcess.await(
          "no thread is left",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .noneMatch(thread -> thread.getName().contains("redis")));
    }
  }

  @Test
  void aGenuineRefusalIsNeverTurnedIntoAnAdmission() {
    try (RedisServerProcess server = RedisServerProcess.started();
        GuardedStore node =
            guarded(
                new RedisLimitStore(
                    RedisOptions.at(server.address()).within(Duration.ofSeconds(10))),
                Duration.ofSeconds(10))) {
      node.decide(List.of(TEN), 10);

      assertThat(node.decide(List.of(TEN), 1)).isInstanceOf(Verdict.Refused.class);
      assertThat(node.isShared()).isTrue();
    }
  }

  /** What one node spends, the other one sees. */
  private static void assertShared(LimitStore one, LimitStore two) {
    KeyedLimit fresh = keyed("{c}:fresh", 1_000_000);
    RedisServerProcess.await(
        "the nodes share",
        () -> {
          long before = remaining(two, fresh);
          one.decide(List.of(fresh), 7);
          return remaining(two, fresh) == before - 7;
        });
  }

  private String askingFigure() {
    return ", asking alone at most " + longestAskingNanos.get() / 1_000 + " µs";
  }

  private static long remaining(LimitStore store, KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }

  private GuardedStore node(RedisServerProcess server) {
    RedisLimitStore shared = new RedisLimitStore(RedisOptions.at(server.address()));
    shared.awaitReady(Duration.ofSeconds(1));
    return guarded(new TimedStore(shared, longestAskingNanos), GuardOptions.DEFAULT_TIME_BUDGET);
  }

  private GuardedStore guarded(AsyncLimitStore shared, Duration budget) {
    return new GuardedStore(
        shared,
        new MemoryLimitStore(1_000, MicrosClock.system()),
        new GuardOptions(budget, OnStoreFailure.LOCAL, 100, Duration.ofMillis(300)),
        Clock.systemUTC(),
        new LongestWait(longestAskedNanos));
  }

  private static KeyedLimit keyed(String key, long permits) {
    return new KeyedLimit(key, new TokenBucket(permits, 34_560_000_000_000L, permits));
  }

  /** Keeps how long it took to ask, which must not wait for the network. */
  private record TimedStore(AsyncLimitStore store, AtomicLong longestNanos)
      implements AsyncLimitStore {

    @Override
    public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost) {
      long start = System.nanoTime();
      try {
        return store.decideAsync(limits, cost);
      } finally {
        longestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
      }
    }

    @Override
    public CompletionStage<LimitStore.Standings> peekAsync(List<KeyedLimit> limits) {
      return store.peekAsync(limits);
    }

    @Override
    public CompletionStage<LimitStore.Standings> settleAsync(
        List<KeyedLimit> limits, long permits, long chargedAtMicros) {
      return store.settleAsync(limits, permits, chargedAtMicros);
    }

    @Override
    public CompletionStage<LimitStore.Standings> grantAsync(List<KeyedLimit> limits, long permits) {
      return store.grantAsync(limits, permits);
    }

    @Override
    public CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits) {
      return store.resetAsync(limits);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
