package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

class RedissonConfigTest {

  @Test
  void triesToConnectOftenHoweverLongRedisHasBeenAway() {
    Config config = RedissonConfig.of(RedisOptions.at("redis://localhost:6379"));

    assertIsTriedOften(config.useSingleServer());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "singleServerConfig: {address: 'redis://localhost:1'}",
        "sentinelServersConfig: {masterName: m, sentinelAddresses: ['redis://localhost:1']}",
        "clusterServersConfig: {nodeAddresses: ['redis://localhost:1']}"
      })
  void triesToConnectOftenAsWellWhereAFileSaysNothingOfIt(String yaml, @TempDir Path dir)
      throws IOException {
    assertIsTriedOften(serversOf(configOf(dir, yaml)));
  }

  @Test
  void leavesThePauseThatAFileSays(@TempDir Path dir) throws IOException {
    Config config =
        configOf(
            dir,
            """
            singleServerConfig:
              address: "redis://localhost:1"
              reconnectionDelay: !<org.redisson.config.ConstantDelay> {delay: PT7S}
            """);

    assertThat(config.useSingleServer().getReconnectionDelay().calcDelay(9))
        .isEqualTo(Duration.ofSeconds(7));
  }

  private static void assertIsTriedOften(BaseConfig<?> servers) {
    assertThat(IntStream.range(0, 100))
        .allSatisfy(
            attempt ->
                assertThat(servers.getReconnectionDelay().calcDelay(attempt))
                    .isBetween(Duration.ofMillis(10), Duration.ofMillis(250)));
  }

  private static Config configOf(Path dir, String yaml) throws IOException {
    return RedissonConfig.of(
        RedisOptions.configuredBy(Files.writeString(dir.resolve("redisson.yaml"), yaml)));
  }

  private static BaseConfig<?> serversOf(Config config) {
    if (config.isSentinelConfig()) {
      return config.useSentinelServers();
    }
    if (config.isClusterConfig()) {
      return config.useClusterServers();
    }
    return config.useSingleServer();
  }
}
