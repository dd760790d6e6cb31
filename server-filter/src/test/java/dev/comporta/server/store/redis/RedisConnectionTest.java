package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.redisson.api.RScript;

class RedisConnectionTest {

  @Test
  void endsAnAttemptThatMeetsAnErrorAndPassesTheErrorOn() throws Exception {
    CompletableFuture<Throwable> passedOn = new CompletableFuture<>();
    Consumer<RScript> firstCall =
        script -> {
          Thread.currentThread()
              .setUncaughtExceptionHandler((thread, error) -> passedOn.complete(error));
          throw new NoClassDefFoundError("io/netty/Some");
        };

    try (RedisConnection connection =
        new RedisConnection(RedisOptions.at("redis://127.0.0.1:1"), firstCall)) {
      assertThatThrownBy(() -> connection.script().get(10, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCause(new StoreException("Redis cannot be reached: io/netty/Some"));
      assertThat(passedOn.get(10, TimeUnit.SECONDS)).isInstanceOf(NoClassDefFoundError.class);
    }
  }

  @Test
  void triesAgainAfterAnError() {
    AtomicInteger calls = new AtomicInteger();
    Consumer<RScript> firstCall =
        script -> {
          Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
          if (calls.incrementAndGet() == 1) {
            throw new NoClassDefFoundError("io/netty/Some");
          }
        };

    try (RedisConnection connection =
        new RedisConnection(RedisOptions.at("redis://127.0.0.1:1"), firstCall)) {
      RedisServerProcess.await("the first attempt has failed", () -> isReady(connection));
    }

    assertThat(calls).hasValue(2);
  }

  private static boolean isReady(RedisConnection connection) {
    return connection.script().isDone() && !connection.script().isCompletedExceptionally();
  }
}
