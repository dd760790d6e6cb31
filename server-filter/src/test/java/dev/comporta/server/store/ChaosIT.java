package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.store.Chaos.Fault;
import dev.comporta.server.store.redis.LossyProxy;
import dev.comporta.server.store.redis.RedisServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A real Redis to which a fault happens while two nodes decide through it, as an application has
 * them: guarded, with coalescing and the cache of refusals, under the load of 16 threads.
 *
 * <p>The laws, of each fault:
 *
 * <ul>
 *   <li><b>No error.</b> Each decision ends as an admission or a refusal; nothing is thrown, and
 *       nothing is unavailable.
 *   <li><b>No false refusal.</b> When a refusal is told, requests of that caller had begun that
 *       were admitted, by all nodes together, for as many permits as its limit has.
 *   <li><b>No delay.</b> No request asks to wait longer for the store than its budget.
 *   <li><b>Bounded over-admission.</b> A caller is given its limit, and beyond it at most: its
 *       limit times the share (100 percent) for each node that decided alone, and once more if
 *       Redis has forgotten what was used.
 *   <li><b>Shared again.</b> When the fault has gone, what one node spends is soon seen by the
 *       other, each way, without a restart.
 * </ul>
 *
 * <p>Times are printed, in one line of a table for each fault; no test relies on them.
 */
class ChaosIT {

  private static final String LIST_INSTEAD =
      "redis.call('del', KEYS[1]) return redis.call('rpush', KEYS[1], 'foreign')";

  private static final List<String> LINES = new ArrayList<>();

  private RedisServerProcess server = RedisServerProcess.notStarted();

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @AfterAll
  static void print() {
    System.out.println(Chaos.head());
    LINES.forEach(System.out::println);
  }

  @Test
  void killedAndStartedAgain() {
    under(
        Fault.alone("SIGKILL, restart").losing(1),
        chaos -> {
          server.kill();
          chaos.awaitAlone();
          chaos.load().awaitMore(10_000);
          server.start();
        });
  }

  @Test
  void frozenForFiveSeconds() {
    under(
        Fault.alone("SIGSTOP for 5 s"),
        chaos -> {
          long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
          server.freeze();
          chaos.awaitAlone();
          RedisServerProcess.await("5 s are over", () -> System.nanoTime() - end > 0);
          server.thaw();
        });
  }

  @Test
  void scriptsAreFlushed() {
    under(
        Fault.unnoticed("SCRIPT FLUSH, 20 times"),
        chaos -> {
          for (int i = 0; i < 20; i++) {
            assertThat(server.command("SCRIPT", "FLUSH")).isEqualTo("+OK");
            chaos.load().awaitMore(200);
          }
          assertThat(chaos.nodes()).allMatch(GuardedStore::isShared);
        });
  }

  @Test
  void everythingIsFlushed() {
    under(
        Fault.unnoticed("FLUSHALL").losing(1),
        chaos -> {
          chaos.load().awaitMore(1_000);
          assertThat(server.command("FLUSHALL")).isEqualTo("+OK");
          chaos.load().awaitMore(5_000);
          assertThat(chaos.nodes()).allMatch(GuardedStore::isShared);
        });
  }

  @Test
  void connectionsAreKilled() {
    under(
        Fault.alone("CLIENT KILL, 5 times"),
        chaos -> {
          for (int i = 0; i < 5; i++) {
            assertThat(server.command("CLIENT", "KILL", "TYPE", "normal")).startsWith(":");
            chaos.load().awaitMore(2_000);
          }
        });
  }

  @Test
  void memoryIsFull() {
    under(
        Fault.alone("OOM, noeviction"),
        chaos -> {
          server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
          server.command("CONFIG", "SET", "maxmemory", "1");
          chaos.awaitAlone();
          chaos.load().awaitMore(10_000);
          server.command("CONFIG", "SET", "maxmemory", "0");
        });
  }

  @Test
  void becomesAReplicaThatTakesNoWrites() {
    under(
        Fault.alone("READONLY replica"),
        chaos -> {
          assertThat(server.command("REPLICAOF", "127.0.0.1", "1")).isEqualTo("+OK");
          chaos.awaitAlone();
          chaos.load().awaitMore(10_000);
          assertThat(server.command("REPLICAOF", "NO", "ONE")).isEqualTo("+OK");
        });
  }

  @Test
  void repliesAreLostAfterTheCharge() throws IOException {
    int losses = 20;
    Fault fault = Fault.alone("reply lost after commit, 20 times");
    try (LossyProxy proxy = new LossyProxy(server.address());
        Chaos chaos = new Chaos(fault.retrying(Duration.ofMillis(50)), proxy.address())) {
      LINES.add(
          chaos.line(
              () -> {
                // What leaves between the two readings makes the law weaker, never false.
                long trips = trips(chaos);
                long calls = calls();
                for (int i = 0; i < losses; i++) {
                  proxy.loseReplies(1);
                  RedisServerProcess.await("a reply is lost", proxy::hasLostAll);
                  chaos.awaitBreakers();
                }
                // Those that were on their way when counting began: two of each node.
                assertThat(calls() - calls)
                    .as("a call that is sent again would be one more for each of %d", losses)
                    .isLessThanOrEqualTo(trips(chaos) - trips + 2L * Chaos.NODES);
              }));
    }
  }

  @Test
  void anotherTypeLiesUnderOurKeys() {
    under(
        Fault.alone("WRONGTYPE under 4 of 6 keys").patient().losing(1),
        chaos -> {
          for (KeyedLimit caller : Chaos.HALFWAY) {
            server.command("EVAL", LIST_INSTEAD, "1", caller.key());
          }
          for (GuardedStore node : chaos.nodes()) {
            RedisServerProcess.await("the node is told faulty", node::isFaulty);
          }
          chaos.load().awaitMore(5_000);
          assertThat(chaos.nodes()).allMatch(GuardedStore::isShared);
          Chaos.HALFWAY.forEach(caller -> server.command("DEL", caller.key()));
        });
  }

  @Test
  void nodeThatHasBeenToldNothingButAnotherTypeSinceItsStartIsUnusableAndServes() {
    KeyedLimit caller = Chaos.HALFWAY.get(0);
    server.command("RPUSH", caller.key(), "foreign");
    try (Chaos chaos = new Chaos(Fault.alone("at the start").patient(), server.address())) {
      GuardedStore node = chaos.another(server.address());
      try (node) {
        assertThat(node.decide(List.of(caller), 1)).isInstanceOf(Verdict.Admitted.class);

        // So the readiness check is DOWN.
        assertThat(node.isFaulty()).isTrue();
        assertThat(node.hasAnswered()).isFalse();
      }
    }
  }

  private void under(Fault fault, Consumer<Chaos> comingAndGoing) {
    try (Chaos chaos = new Chaos(fault, server.address())) {
      LINES.add(chaos.line(() -> comingAndGoing.accept(chaos)));
    }
  }

  private long calls() {
    return server.callsOf("evalsha") + server.callsOf("eval");
  }

  private static long trips(Chaos chaos) {
    return chaos.nodes().stream().mapToLong(node -> node.tripCounts().trips()).sum();
  }
}
