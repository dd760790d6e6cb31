package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.config.StoreSettings.RedisAddress;
import dev.comporta.server.policy.PolicyFault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

  private static final String KEY = "comporta.redis.address";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://my_redis:6379",
        "rediss://db.example:1",
        "redis://192.0.2.1:65535",
        "redis://[::1]:6379",
        "redis://[2001:db8::1]:6379/0",
        "redis://:hush@my_redis:6379",
        "redis://user:hush^2@db.example:6379",
      })
  void takesAHostAndAPort(String address) {
    SettingsReader.Reading reading = SettingsReader.read(MapSource.of(KEY, address), "library");

    assertThat(reading.faults()).isEmpty();
    assertThat(reading.settings().store().redis()).contains(new RedisAddress(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ":hush@host",
        "http://:hush@host:6379",
        "redis://my_redis",
        "redis://:6379",
        "redis://my redis:6379",
        "redis://my_redis:",
        "redis://my_redis:0",
        "redis://my_redis:65536",
        "redis://my_redis:6379x",
        "redis://my_redis:6379/x",
        "redis://one:two:6379",
        "redis://::1:6379",
        "redis://[::1]",
        "redis://[my_redis]:6379",
        "redis://[::1:6379",
        "redis://a@hush@my_redis:6379",
      })
  void refusesAnythingElseWithoutTellingIt(String address) {
    assertThat(SettingsReader.read(MapSource.of(KEY, address), "library").faults())
        .containsExactly(
            new PolicyFault(
                KEY,
                "must be redis://host:port or rediss://host:port, the host without any of /@:[] or"
                    + " an IPv6 address in brackets, the port 1 to 65535, was something else"));
  }
}
