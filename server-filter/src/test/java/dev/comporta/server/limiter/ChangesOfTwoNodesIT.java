package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.ChangeNotSharedException;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.memory.MemoryLimitStore;
import dev.comporta.server.store.redis.RedisOptions;
import dev.comporta.server.store.redis.RedisServerProcess;
import dev.comporta.server.store.redis.RedisStores;
import jakarta.ws.rs.GET;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes that change limits and blocks through one real Redis, at once and in turns. */
class ChangesOfTwoNodesIT {

  static class Resource {
    @GET
    @RateLimited(value = "10/1h", policy = "p0")
    public void first() {}

    @GET
    @RateLimited(value = "10/1h", policy = "p1")
    public void second() {}

    @GET
    @RateLimited(value = "10/1h", policy = "p2")
    public void third() {}
  }

  private static final String KEY = "library:2:{changes}";
  private static final String BACKUP = "backup:{changes}";

  private static RedisServerProcess redis;

  /** What a node has of the other's and its own changes. */
  private static final class Node implements AutoCloseable {

    private final LimitStore store =
        RedisStores.open(
            RedisOptions.at(redis.address()).within(Duration.ofSeconds(10)),
            new MemoryLimitStore(10, MicrosClock.system()),
            GuardOptions.defaults(),
            Duration.ofSeconds(10));
    private final SharedChanges shared = store.changes(KEY).orElseThrow();
    private final PolicyCatalog catalog =
        new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
    private final Blocks blocks = new Blocks();
    private final RunningChanges changes =
        new RunningChanges(shared, new ChangedPolicies(catalog), blocks);

    Node() {
      catalog.discoverAll(Resource.class);
    }

    void look() throws Exception {
      changes.take(shared.look(changes.version()).toCompletableFuture().get(20, TimeUnit.SECONDS));
    }

    /** The permits of each policy, and who is blocked. */
    Map<String, String> inForce() {
      Map<String, String> inForce = new TreeMap<>();
      catalog
          .policies()
          .forEach(
              policy ->
                  inForce.put(
                      policy.name(),
                      policy.limits().stream().map(LimitSpec::permits).toList().toString()));
      for (int i = 0; i < 3; i++) {
        inForce.put("b" + i, Boolean.toString(blocks.isBlocked("b" + i)));
      }
      return inForce;
    }

    void change(String name, int permits) {
      if (name.startsWith("b")) {
        changes.block(name, Duration.ofHours(1));
      } else {
        changes.change(name, List.of(permits + "/1h"));
      }
    }

    void takeBack(String name) {
      if (name.startsWith("b")) {
        changes.unblock(name);
      } else {
        changes.revert(name);
      }
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @BeforeAll
  static void start() {
    redis = RedisServerProcess.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Test
  void changesMadeAtOnceBothSurvive() throws Exception {
    Random random = new Random(11);
    redis.command("FLUSHALL");
    try (Node one = new Node();
        Node two = new Node()) {
      CyclicBarrier together = new CyclicBarrier(2);
      for (int round = 0; round < 300; round++) {
        String ofOne = name(random.nextInt(6));
        String ofTwo = name((random.nextInt(5) + 1 + indexOf(ofOne)) % 6);
        int permits = 11 + random.nextInt(1_000);
        boolean isTakenBack = random.nextInt(3) == 0;

        CompletableFuture<Void> other =
            CompletableFuture.runAsync(() -> act(together, two, ofTwo, permits, isTakenBack));
        act(together, one, ofOne, permits + 1, false);
        other.get(20, TimeUnit.SECONDS);
        one.look();
        two.look();

        Map<String, String> both = one.inForce();
        String as = "seed 11, round " + round;
        assertThat(two.inForce()).as(as).isEqualTo(both);
        assertThat(both).as(as).containsEntry(ofOne, expected(ofOne, permits + 1, false));
        assertThat(both).as(as).containsEntry(ofTwo, expected(ofTwo, permits, isTakenBack));
      }
    }
  }

  /**
   * However long a node does not look, and whether Redis loses all or what was written last: what
   * was written last under a name holds everywhere, once all have looked.
   */
  @Test
  void nothingIsLostWhileANodeThatKnowsItLives() throws Exception {
    Random random = new Random(12);
    redis.command("FLUSHALL");
    try (Node one = new Node();
        Node two = new Node()) {
      List<Node> nodes = List.of(one, two);
      Map<String, String> expected = new TreeMap<>(one.inForce());
      for (int step = 0; step < 600; step++) {
        Node node = nodes.get(random.nextInt(2));
        String name = name(random.nextInt(6));
        int permits = 11 + random.nextInt(1_000);
        switch (random.nextInt(8)) {
          case 0 -> redis.command("FLUSHALL");
          case 1 -> redis.command("COPY", KEY, BACKUP, "REPLACE");
          case 2 -> redis.command("COPY", BACKUP, KEY, "REPLACE"); // as a replica that was behind
          case 3 -> node.look();
          case 4, 5 -> {
            settle(nodes);
            node.takeBack(name);
            expected.put(name, expected(name, permits, true));
          }
          default -> {
            node.change(name, permits);
            expected.put(name, expected(name, permits, false));
          }
        }
        if (step % 10 == 9) {
          settle(nodes);
          assertThat(one.inForce()).as("seed 12, step %d", step).isEqualTo(expected);
          assertThat(two.inForce()).as("seed 12, step %d", step).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void changeThatRedisDoesNotConfirmIsInForceOnNoNodeOrOnBoth() throws Exception {
    redis.command("FLUSHALL");
    try (Node one = new Node();
        Node two = new Node()) {
      one.look();
      two.look();
      redis.freeze();

      assertThatThrownBy(() -> one.change("p0", 77))
          .isInstanceOfSatisfying(
              ChangeNotSharedException.class, failed -> assertThat(failed.mayBeShared()).isTrue())
          .hasMessageContaining("did not confirm");
      assertThat(one.inForce()).containsEntry("p0", "[10]");

      redis.thaw();
      RedisServerProcess.await("both know the same", () -> haveLooked(one, two));
      assertThat(two.inForce()).isEqualTo(one.inForce());
      one.change("p0", 78);
      two.look();
      assertThat(two.inForce()).containsEntry("p0", "[78]");
    }
  }

  private static boolean haveLooked(Node one, Node two) {
    try {
      one.look();
      two.look();
      return two.inForce().equals(one.inForce());
    } catch (Exception notYet) {
      return false;
    }
  }

  @Test
  void lookThatFindsNothingNewCostsOneShortCall() throws Exception {
    redis.command("FLUSHALL");
    try (Node one = new Node()) {
      one.change("p0", 20);
      one.look();
      long before = redis.callsOf("evalsha") + redis.callsOf("eval");
      long wholeBefore = redis.callsOf("hgetall");

      for (int i = 0; i < 5; i++) {
        one.look();
      }

      assertThat(redis.callsOf("evalsha") + redis.callsOf("eval") - before).isEqualTo(5);
      assertThat(redis.callsOf("hgetall")).isEqualTo(wholeBefore);
    }
  }

  @Test
  void tooManyBlocksAreRefusedAndThoseThatHaveEndedMakeRoom() throws Exception {
    redis.command("FLUSHALL");
    redis.command(
        "EVAL",
        "for i = 1, 9999 do redis.call('HSET', KEYS[1], 'block:' .. i, '1 2 blocked') end"
            + " redis.call('HSET', KEYS[1], 'version', '9999:x')"
            + " redis.call('HSET', KEYS[1], 'block:own', '1 9000000000000000 blocked')",
        "1",
        KEY);
    try (Node one = new Node()) {
      one.change("b0", 0);

      assertThat(redis.command("HLEN", KEY)).isEqualTo(":3");
      one.look();
      assertThat(one.blocks.isBlocked("own")).isTrue();
    }
  }

  /** Whatever has been put into the hash: it is taken for a change by all nodes, or by none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "garbage",
        "-1 - 20/1h",
        "1e3 - 20/1h",
        "1 - ",
        "1 - ,",
        "1 -1 20/1h",
        "1 0x10 20/1h",
        "1 1e300 20/1h",
        "1 inf 20/1h",
        "1 nan 20/1h",
        "1 9999999999999999 20/1h",
        "1 99999999999999999999 20/1h",
        "8999999999999900 - 20/1h",
        "9000000000000001 - 20/1h",
        "9007199254740992 - 20/1h",
        "9999999999999999 - 20/1h",
        "99999999999999999999 - 20/1h",
      })
  void whatIsNoChangeKeepsNoChangeFromBeingFollowed(String hostile) throws Exception {
    for (String name : List.of("limits:p0", "block:b0")) {
      redis.command("FLUSHALL");
      redis.command("HSET", KEY, name, hostile, "version", "garbage", "limits:p1", "5 - 33/1h");
      try (Node one = new Node();
          Node two = new Node()) {
        one.takeBack("p0");
        one.takeBack("b0");
        redis.command("HSET", KEY, name, hostile, "version", "garbage again");
        one.look();

        one.change("p0", 77);
        one.change("b0", 0);
        two.look();
        assertThat(one.inForce()).containsEntry("p0", "[77]").containsEntry("b0", "true");
        assertThat(two.inForce()).isEqualTo(one.inForce()).containsEntry("p1", "[33]");

        two.takeBack("p0");
        two.takeBack("b0");
        one.look();
        assertThat(one.inForce()).containsEntry("p0", "[10]").containsEntry("b0", "false");
        assertThat(two.inForce()).isEqualTo(one.inForce());
      }
    }
  }

  @Test
  void noChangeIsLaterThanTheLatestInstantAndThatIsTold() throws Exception {
    redis.command("FLUSHALL");
    redis.command("HSET", KEY, "limits:p0", "9000000000000000 - 20/1h", "version", "1:x");
    try (Node one = new Node()) {
      assertThatThrownBy(() -> one.change("p0", 77))
          .isInstanceOfSatisfying(
              ChangeNotSharedException.class, failed -> assertThat(failed.mayBeShared()).isFalse())
          .hasMessageContaining("2255");

      one.look();
      assertThat(one.inForce()).containsEntry("p0", "[20]");
    }
  }

  private static void settle(List<Node> nodes) throws Exception {
    for (int i = 0; i < 2; i++) {
      for (Node node : nodes) {
        node.look();
        node.look(); // what it has put back has come before this one
      }
    }
  }

  private static void act(
      CyclicBarrier together, Node node, String name, int permits, boolean isTakenBack) {
    try {
      together.await(20, TimeUnit.SECONDS);
    } catch (Exception interrupted) {
      throw new IllegalStateException(interrupted);
    }
    if (isTakenBack) {
      node.takeBack(name);
    } else {
      node.change(name, permits);
    }
  }

  private static String expected(String name, int permits, boolean isTakenBack) {
    if (name.startsWith("b")) {
      return Boolean.toString(!isTakenBack);
    }
    return "[" + (isTakenBack ? 10 : permits) + "]";
  }

  private static String name(int index) {
    return (index < 3 ? "p" : "b") + index % 3;
  }

  private static int indexOf(String name) {
    return (name.startsWith("p") ? 0 : 3) + Integer.parseInt(name.substring(1));
  }
}
