package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.store.StoreException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisTimeoutException;

class RedisFailuresTest {

  @Test
  void keepsTheReplyAndNotTheArguments() {
    StoreException error =
        RedisFailures.of(
            new CompletionException(
                new RedisException("CROSSSLOT Keys differ. channel: [x] data: EVALSHA, caller")));

    assertThat(error).hasMessage("Redis answered CROSSSLOT Keys differ").hasNoCause();
    assertThat(error.isPermanent()).isTrue();
  }

  @Test
  void takesAFailoverForSomethingThatPasses() {
    StoreException error =
        RedisFailures.of(new RedisException("READONLY replica. channel: [x] data: EVALSHA"));

    assertThat(error.isPermanent()).isFalse();
  }

  @Test
  void keepsOnlyTheKindOfATimeOut() {
    StoreException error =
        RedisFailures.of(new RedisTimeoutException("command: (EVALSHA), params: [caller]"));

    assertThat(error).hasMessage("Redis gave no answer: RedisTimeoutException").hasNoCause();
    assertThat(error.isPermanent()).isFalse();
  }

  @Test
  void saysWhyItCannotConnectButNoPassword() {
    StoreException refused =
        RedisFailures.ofConnecting(
            new RedisConnectionException("Unable to connect to Redis server: localhost:1"));
    StoreException wrong =
        RedisFailures.ofConnecting(
            new RedisException("WRONGPASS invalid. channel: [x] data: AUTH, params: [secret]"));

    assertThat(refused)
        .hasMessage("Redis cannot be reached: Unable to connect to Redis server: localhost:1");
    assertThat(wrong).hasMessage("Redis cannot be reached: WRONGPASS invalid");
  }
}
