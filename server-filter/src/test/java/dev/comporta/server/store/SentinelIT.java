package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.memory.MemoryLimitStore;
import dev.comporta.server.store.redis.RedisOptions;
import dev.comporta.server.store.redis.RedisServerProcess;
import dev.comporta.server.store.redis.RedisStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master, its replica, and a sentinel that makes the one of the other, under load. */
class SentinelIT {

  private static final KeyedLimit WIDE =
      new KeyedLimit("{c}:wide", new TokenBucket(1_000_000, 3_600_000_000L, 1_000_000));

  private static final KeyedLimit TEN =
      new KeyedLimit("{c}:ten", new TokenBucket(10, 400L * 86_400_000_000L, 10));

  @Test
  void neitherFailsNorRefusesWhileTheMasterDiesAndSharesByTheNewOne(@TempDir Path dir)
      throws IOException {
    try (RedisServerProcess master = RedisServerProcess.started();
        RedisServerProcess replica =
            RedisServerProcess.started("--replicaof", "127.0.0.1", port(master));
        RedisServerProcess sentinel = sentinelOf(master, dir)) {
      RedisServerProcess.await(
          "the replica is in step",
          () -> replica.command("INFO", "replication").contains("master_link_status:up"));
      RedisServerProcess.await(
          "the sentinel knows the replica",
          () -> sentinel.command("SENTINEL", "REPLICAS", "library").contains(port(replica)));
      RedisOptions options = RedisOptions.configuredBy(file(sentinel, dir));
      try (GuardedStore one = node(options);
          GuardedStore two = node(options);
          Load load = Load.of(16, () -> one.decide(List.of(WIDE), 1))) {
        load.awaitMore(200);
        one.decide(List.of(TEN), 4);
        RedisServerProcess.await(
            "the replica has what was used", () -> replica.keys().contains(TEN.key()));

        master.kill();
        RedisServerProcess.await("the breaker is open", () -> !one.isShared());
        RedisServerProcess.await(
            "there is a new master",
            () -> replica.command("INFO", "replication").contains("role:master"));
        RedisServerProcess.await("limits are shared again", one::isShared);
        long before = replica.callsOf("evalsha") + replica.callsOf("eval");
        load.awaitMore(200);
        load.stop();

        System.out.println("failover: " + load.figures());
        assertThat(load.failures()).isEmpty();
        assertThat(load.verdicts()).allMatch(Verdict.Admitted.class::isInstance);
        assertThat(replica.callsOf("evalsha") + replica.callsOf("eval")).isGreaterThan(before);
        RedisServerProcess.await(
            "the other node shares too",
            () -> two.peek(List.of(TEN)).standings().get(0).remaining() == 6 && two.isShared());
      }
    }
  }

  private static RedisServerProcess sentinelOf(RedisServerProcess master, Path dir)
      throws IOException {
    Path config = dir.resolve("sentinel.conf");
    Files.writeString(
        config,
        "sentinel monitor library 127.0.0.1 "
            + port(master)
            + " 1\nsentinel down-after-milliseconds library 500\n"
            + "sentinel failover-timeout library 5000\n");
    RedisServerProcess sentinel =
        RedisServerProcess.configured(config, "--sentinel", "--loglevel", "warning");
    return sentinel;
  }

  private static Path file(RedisServerProcess sentinel, Path dir) throws IOException {
    Path file = dir.resolve("redisson.yaml");
    Files.writeString(
        file,
        "sentinelServersConfig:\n"
            + "  masterName: library\n"
            + "  checkSentinelsList: false\n"
            + "  scanInterval: 200\n"
            + "  timeout: 200\n"
            + "  connectTimeout: 1000\n"
            + "  retryAttempts: 0\n"
            + "  sentinelAddresses:\n    - \""
            + sentinel.address()
            + "\"\n");
    return file;
  }

  private static GuardedStore node(RedisOptions options) {
    GuardedStore node =
        RedisStores.open(
            options,
            new MemoryLimitStore(100, MicrosClock.system()),
            GuardOptions.defaults(),
            Duration.ofSeconds(10));
    RedisServerProcess.await(
        "the node shares",
        () -> {
          node.peek(List.of(WIDE));
          return node.hasAnswered() && node.isShared();
        });
    return node;
  }

  private static String port(RedisServerProcess server) {
    return server.address().replaceAll(".*:", "");
  }
}
