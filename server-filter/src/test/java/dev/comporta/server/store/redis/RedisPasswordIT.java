package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that wants a password. */
class RedisPasswordIT {

  private static final List<KeyedLimit> LIMITS =
      List.of(new KeyedLimit("{c}:b", new TokenBucket(10, 60_000_000, 10)));

  private static RedisServerProcess server;

  @BeforeAll
  static void start() {
    server = RedisServerProcess.started("--requirepass", "open-sesame");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void decidesWithThePasswordOfTheAddress() {
    assertDecides(RedisOptions.at(server.address().replace("//", "//:open-sesame@")));
  }

  @Test
  void decidesWithThePasswordOfARedissonFile(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("redisson.yaml");
    Files.writeString(
        file,
        "singleServerConfig:\n  address: \""
            + server.address()
            + "\"\n  password: \"open-sesame\"\n");

    assertDecides(RedisOptions.configuredBy(file));
  }

  @Test
  void saysNoPasswordWhenItIsWrong() {
    RedisOptions wrong = RedisOptions.at(server.address().replace("//", "//:swordfish@"));

    try (WaitingStore store =
        new WaitingStore(new RedisLimitStore(wrong.within(Duration.ofSeconds(5))))) {
      assertThatThrownBy(() -> store.decide(LIMITS, 1))
          .hasMessageContaining("Redis cannot be reached")
          .hasMessageNotContaining("swordfish");
    }
  }

  private static void assertDecides(RedisOptions options) {
    try (WaitingStore store =
        new WaitingStore(new RedisLimitStore(options.within(Duration.ofSeconds(5))))) {
      assertThat(store.decide(LIMITS, 1)).isInstanceOf(Verdict.Admitted.class);
    }
  }
}
