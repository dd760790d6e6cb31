package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.store.StoreException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          @user_script:1: @user_script: 1: -OOM command not allowed | OOM command not allowed | false
          @user_script:9: @user_script: 9: -READONLY replica        | READONLY replica        | false
          @user_script:45: WRONGTYPE Operation                      | WRONGTYPE Operation     | true
          """)
  void readsWhatACommandOfAScriptAnswersOnRedis6AsOnRedis7(
      String told, String reply, boolean isPermanent) {
    String script =
        "ERR Error running script (call to f_63513ef721c1dcd34dc697552e11c6fa5356c64c): ";

    StoreException error = RedisFailures.ofReply(script + told);

    assertThat(error).hasMessage("Redis answered " + reply);
    assertThat(error.isPermanent()).isEqualTo(isPermanent);
  }

  @Test
  void aScriptThatIsWrongItselfIsPermanentAndToldWhole() {
    String reply =
        "ERR Error running script (call to f_63513ef7): @user_script:3: user_script:3: attempt to index";

    StoreException error = RedisFailures.ofReply(reply);

    assertThat(error).hasMessage("Redis answered " + reply);
    assertThat(error.isPermanent()).isTrue();
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
