package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Caller;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CallerHashTest {

  private static final CallerHash PLAIN = CallerHash.plain();

  @Test
  void isTheSameForTheSameCallerInAnyTier() {
    Caller caller = Caller.of("principal", "ana");

    assertThat(PLAIN.hash(caller))
        .isEqualTo(CallerHash.plain().hash(caller.inTier("premium")))
        .matches("[A-Za-z0-9_-]{20}");
  }

  @Test
  void keepsKindsApart() {
    assertThat(PLAIN.hash(Caller.of("principal", "127.0.0.1")))
        .isNotEqualTo(PLAIN.hash(Caller.of("address", "127.0.0.1")));
    assertThat(PLAIN.hash(Caller.of("ab", "c"))).isNotEqualTo(PLAIN.hash(Caller.of("a", "bc")));
    assertThat(PLAIN.hash(Caller.of("a:b", "c"))).isNotEqualTo(PLAIN.hash(Caller.of("a", "b:c")));
  }

  @Test
  void dependsOnTheSecret() {
    Caller caller = Caller.of("address", "192.0.2.1");

    assertThat(keyed("secret-of-node-one").hash(caller))
        .isEqualTo(keyed("secret-of-node-one").hash(caller))
        .isNotEqualTo(keyed("secret-of-node-two").hash(caller))
        .isNotEqualTo(PLAIN.hash(caller))
        .matches("[A-Za-z0-9_-]{20}");
  }

  @Test
  void isTheSameFromManyThreads() {
    CallerHash keyed = keyed("secret-of-node-one");
    Caller caller = Caller.of("principal", "ana");

    assertThat(IntStream.range(0, 10_000).parallel().mapToObj(i -> keyed.hash(caller)).distinct())
        .hasSize(1);
  }

  private static CallerHash keyed(String secret) {
    return CallerHash.keyed(secret.getBytes(StandardCharsets.UTF_8));
  }
}
