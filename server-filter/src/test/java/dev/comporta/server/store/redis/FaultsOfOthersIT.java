package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kinds of faults that were reported of other limiters on Redis. */
class FaultsOfOthersIT {

  private static final KeyedLimit LIMIT =
      new KeyedLimit("{c}:bucket", new TokenBucket(10, 3_600_000_000L, 10));

  // S71: a reply that is lost after the charge, and a library that sends the script once more
  @Test
  void requestWhoseReplyIsLostIsChargedOnce() throws IOException {
    try (RedisServerProcess server = RedisServerProcess.started();
        LossyProxy proxy = new LossyProxy(server.address());
        WaitingStore direct = store(RedisOptions.at(server.address()));
        WaitingStore lossy = store(RedisOptions.at(proxy.address()))) {
      assertIsChargedOnce(server, proxy, direct, lossy);
    }
  }

  // S71: the defaults of Redisson, which a file brings, are to send again
  @Test
  void requestWhoseReplyIsLostIsChargedOnceAlsoByAConfiguredFile(@TempDir Path dir)
      throws IOException {
    try (RedisServerProcess server = RedisServerProcess.started();
        LossyProxy proxy = new LossyProxy(server.address())) {
      Path file = dir.resolve("redisson.yaml");
      Files.writeString(
          file,
          """
          singleServerConfig:
            address: "%s"
            retryAttempts: 3
            timeout: 200
          """
              .formatted(proxy.address()));
      try (WaitingStore direct = store(RedisOptions.at(server.address()));
          WaitingStore lossy = store(RedisOptions.configuredBy(file))) {
        assertIsChargedOnce(server, proxy, direct, lossy);
      }
    }
  }

  // S63, S64, S74: statistics without a time to live, one of three keys without, keys made in Lua
  @Test
  void everyKeyThereIsWasDeclaredAndGoesByItself() {
    List<KeyedLimit> limits =
        Arrays.stream(Algorithm.values()).map(kind -> keyed("10/1h", kind)).toList();
    try (RedisServerProcess server = RedisServerProcess.started();
        WaitingStore store = store(RedisOptions.at(server.address()))) {
      Verdict.Admitted admitted = (Verdict.Admitted) store.decide(limits, 3);
      store.peek(limits);
      store.settle(limits, 2, admitted.nowMicros());
      store.settle(limits, -1, admitted.nowMicros());
      store.grant(limits, 1);
      assertThat(store.decide(limits, 8)).isInstanceOf(Verdict.Refused.class);

      assertThat(server.keys())
          .containsExactlyInAnyOrderElementsOf(limits.stream().map(KeyedLimit::key).toList())
          .allSatisfy(key -> assertThat(millisToLive(server, key)).isPositive());
      store.reset(limits);
      assertThat(server.keys()).isEmpty();
    }
  }

  // S68: a key that goes between two looks at it makes -1 of what is left, and a refusal
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void keyThatGoesInBetweenRefusesNobody(Algorithm kind) {
    List<KeyedLimit> limits = List.of(keyed("10/1h", kind));
    try (RedisServerProcess server = RedisServerProcess.started();
        WaitingStore store = store(RedisOptions.at(server.address()))) {
      for (int cost = 1; cost <= 10; cost++) {
        Verdict.Admitted admitted = (Verdict.Admitted) store.decide(limits, cost);
        assertThat(admitted.standings().get(0).remaining()).isEqualTo(10 - cost);

        server.command("DEL", limits.get(0).key());
      }
    }
  }

  private static KeyedLimit keyed(String text, Algorithm kind) {
    return new KeyedLimit("{c}:" + kind, RateAlgorithm.of(LimitSpec.parse(text, kind)));
  }

  private static long millisToLive(RedisServerProcess server, String key) {
    return Long.parseLong(server.command("PTTL", key).substring(1));
  }

  private static void assertIsChargedOnce(
      RedisServerProcess server, LossyProxy proxy, WaitingStore direct, WaitingStore lossy) {
    assertThat(lossy.decide(List.of(LIMIT), 1)).isInstanceOf(Verdict.Admitted.class);
    long before = server.callsOf("evalsha") + server.callsOf("eval");
    proxy.loseReplies(Integer.MAX_VALUE);

    assertThatThrownBy(() -> lossy.decide(List.of(LIMIT), 1))
        .isInstanceOf(CompletionException.class);

    assertThat(server.callsOf("evalsha") + server.callsOf("eval") - before).isEqualTo(1);
    assertThat(direct.peek(List.of(LIMIT)).standings().get(0).remaining()).isEqualTo(8);
  }

  private static WaitingStore store(RedisOptions options) {
    RedisLimitStore store = new RedisLimitStore(options.within(Duration.ofMillis(500)));
    assertThat(store.awaitReady(Duration.ofSeconds(10))).isTrue();
    return new WaitingStore(store);
  }
}
