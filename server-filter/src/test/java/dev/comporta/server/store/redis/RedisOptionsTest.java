package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.config.Config;

class RedisOptionsTest {

  @Test
  void namesRuleValueAndSettingOfAWrongAddressButNoPassword() {
    assertThatThrownBy(() -> RedisOptions.at("http://user:secret@host:1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the address of Redis must be redis://host:port or rediss://host:port, was"
                + " 'http://host:1' (comporta.redis.address)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"redis://host", "redis://host:port", "redis://:1", "host:1", "", "redis://"})
  void refusesAnAddressWithoutHostAndPort(String address) {
    assertThatThrownBy(() -> RedisOptions.at(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was '" + address + "' (comporta.redis.address)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://host:1",
        "rediss://my_redis.local:65535",
        "redis://[::1]:6379",
        "redis://:p%2Fw@127.0.0.1:6379",
        "redis://host:6379/2"
      })
  void takesAnAddressThatRedissonTakes(String address) {
    RedisOptions options = RedisOptions.at(address);

    assertThatCode(() -> Redisson.create(RedissonConfig.of(options)).shutdown())
        .doesNotThrowAnyException();
  }

  @Test
  void printsNoPassword() {
    assertThat(RedisOptions.at("rediss://user:sec%40ret@host:6380").toString())
        .contains("rediss://host:6380")
        .doesNotContain("user", "sec", "ret");
  }

  @Test
  void acceptsABudgetFromOneMillisecondToTenSeconds() {
    RedisOptions options = RedisOptions.at("redis://host:1");

    assertThat(options.within(Duration.ofMillis(1)).timeBudget()).hasMillis(1);
    assertThat(options.within(Duration.ofSeconds(10)).timeBudget()).hasSeconds(10);
    assertThatThrownBy(() -> options.within(Duration.ZERO))
        .hasMessageContaining("was PT0S (comporta.store-budget)");
    assertThatThrownBy(() -> options.within(Duration.ofMillis(10_001)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesAFileThatIsNotThere(@TempDir Path dir) {
    Path file = dir.resolve("none.yaml");

    assertThatThrownBy(() -> RedisOptions.configuredBy(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none.yaml (comporta.redis.config-file)");
  }

  @Test
  void namesAFileThatIsNoConfiguration(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("bad.yaml"), "noSuchConfig: 1\n");

    assertThatThrownBy(() -> RedissonConfig.of(RedisOptions.configuredBy(file)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bad.yaml (comporta.redis.config-file)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          password: "hunter2secret | 5
          pasword: hunter2secret   | 3
          timeout: hunter2secret   | 3
          password: [hunter2secret | 5
          """)
  void namesTheLineOfASlipButNoPassword(String slip, int line, @TempDir Path dir)
      throws IOException {
    String address = "singleServerConfig:\n  address: \"redis://host:1\"\n";
    Path file = Files.writeString(dir.resolve("slip.yaml"), address + "  " + slip + "\n\n");

    assertThatThrownBy(() -> RedissonConfig.of(RedisOptions.configuredBy(file)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the Redisson configuration must be valid, was faulty at line "
                + line
                + ": "
                + file
                + " (comporta.redis.config-file)")
        .satisfies(
            thrown ->
                assertThat(Throwables.getStackTrace(thrown)).doesNotContain("hunter2", "secret"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing yet\n", "---\n"})
  void namesAFileThatSaysNothing(String text, @TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("empty.yaml"), text);

    assertThatThrownBy(() -> RedissonConfig.of(RedisOptions.configuredBy(file)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the Redisson configuration must name a server, was empty: "
                + file
                + " (comporta.redis.config-file)");
  }

  @Test
  void keepsTheThreadsThatAFileAsksFor(@TempDir Path dir) throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("redisson.yaml"),
            "nettyThreads: 5\nsingleServerConfig:\n  address: \"redis://host:1\"\n");

    Config config = RedissonConfig.of(RedisOptions.configuredBy(file));

    assertThat(config.getNettyThreads()).isEqualTo(5);
    assertThat(config.getThreads()).isEqualTo(2);
    assertThat(config.isLazyInitialization()).isTrue();
  }
}
