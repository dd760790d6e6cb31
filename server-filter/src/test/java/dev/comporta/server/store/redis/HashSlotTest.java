package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.connection.CRC16;

class HashSlotTest {

  private static final long SEED = 20_261_130;

  /** As the cluster specification of Redis tells them. */
  @ParameterizedTest
  @CsvSource({"123456789,12739", "foo,12182", "bar,5061", "{user1000}.following,3443"})
  void isThatOfTheSpecification(String key, int slot) {
    assertThat(HashSlot.of(key)).isEqualTo(slot);
  }

  @Test
  void hashesWhatStandsBetweenTheFirstBraces() {
    int slot = HashSlot.of("user");

    assertThat(Stream.of("a{user}b", "{user}", "a{user}{other}", "}{user}"))
        .allMatch(key -> HashSlot.of(key) == slot);
  }

  @Test
  void hashesTheWholeKeyWhereNothingStandsBetweenBraces() {
    assertThat(Stream.of("{}user", "{user", "user}"))
        .allMatch(
            key -> HashSlot.of(key) == CRC16.crc16(key.getBytes(StandardCharsets.UTF_8)) % 16_384);
  }

  @Test
  void isThatOfTheClientForAnyKey() {
    Random random = new Random(SEED);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      String key = new String(bytes, StandardCharsets.ISO_8859_1).replace('{', '-');

      assertThat(HashSlot.of(key))
          .as("seed " + SEED + ", key " + i)
          .isEqualTo(CRC16.crc16(key.getBytes(StandardCharsets.UTF_8)) % 16_384);
    }
  }

  @Test
  void limitsOfOneCallerHaveOneSlotAndThoseOfSeveralHaveNone() {
    assertThat(HashSlot.ofAll(List.of(limit("a:{x}:1"), limit("a:{x}:2"))))
        .isEqualTo(OptionalInt.of(HashSlot.of("x")));
    assertThat(HashSlot.ofAll(List.of(limit("a:{x}:1"), limit("a:{y}:1")))).isEmpty();
    assertThat(HashSlot.ofAll(List.of())).isEmpty();
  }

  private static KeyedLimit limit(String key) {
    return new KeyedLimit(key, new TokenBucket(1, 1_000, 1));
  }
}
