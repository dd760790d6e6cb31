package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Where the build says which Redis the tests run on, they do. */
class RedisVersionIT {

  private static final String VERSION = "redis.version";

  @Test
  @EnabledIfSystemProperty(named = VERSION, matches = ".+")
  void theServerIsOfThatVersion() {
    try (RedisServerProcess redis = RedisServerProcess.started()) {
      assertThat(redis.command("INFO", "server"))
          .contains("redis_version:" + System.getProperty(VERSION));
    }
  }
}
