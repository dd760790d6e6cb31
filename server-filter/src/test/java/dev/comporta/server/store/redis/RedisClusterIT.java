package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.GuardOptions;
import dev.comporta.server.store.GuardedStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of one request in several slots of a cluster of three masters, by their own clocks. */
class RedisClusterIT {

  private static final int THREADS = 16;

  private static RedisClusterProcesses cluster;
  private static WaitingStore store;
  private static WaitingStore otherNode;

  @BeforeAll
  static void open() {
    cluster = RedisClusterProcesses.started();
    store = node();
    otherNode = node();
  }

  @AfterAll
  static void close() {
    store.close();
    otherNode.close();
    cluster.close();
  }

  @BeforeEach
  void forgetAll() {
    cluster.forgetAll();
  }

  /** Public fault: one client sends 20, and the limit for everyone is used up by refusals. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusalByTheCallersLimitTakesNothingFromTheLimitForEveryone(boolean isCallerFirst) {
    KeyedLimit caller = ofCaller(0, "1/1h", Algorithm.TOKEN_BUCKET);
    KeyedLimit everyone = ofEveryone("10/1h", Algorithm.TOKEN_BUCKET);
    List<KeyedLimit> limits = isCallerFirst ? List.of(caller, everyone) : List.of(everyone, caller);
    store.decide(limits, 1);
    long before = cluster.masterOf(everyone.key()).callsOf("set");

    long admitted = LongStream.range(0, 19).filter(i -> passes(store.decide(limits, 1))).count();

    assertThat(admitted).isZero();
    assertThat(remaining(everyone)).isEqualTo(9);
    // It was looked at, to tell where the caller stands, and never charged.
    assertThat(cluster.masterOf(everyone.key()).callsOf("set")).isEqualTo(before);
  }

  @Test
  void changesAreKeptWhereTheirSlotIs() throws Exception {
    SharedChanges written = store.changes("library:2:{changes}").orElseThrow();
    SharedChanges seen = otherNode.changes("library:2:{changes}").orElseThrow();

    written.write(
        new SharedChanges.Wanted("limits:search", "5/1m", Optional.empty(), Optional.empty()));

    assertThat(seen.look("?").toCompletableFuture().get(20, TimeUnit.SECONDS).all().orElseThrow())
        .containsOnlyKeys("limits:search");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void refusalByTheLimitForEveryoneGivesBackWhatTheCallersLimitTook(Algorithm algorithm) {
    KeyedLimit caller = ofCaller(1, "10/1h", algorithm);
    KeyedLimit everyone = ofEveryone("3/1h", algorithm);
    List<KeyedLimit> limits = List.of(caller, everyone);

    List<Verdict> verdicts = IntStream.range(0, 8).mapToObj(i -> store.decide(limits, 1)).toList();

    assertThat(verdicts.stream().filter(RedisClusterIT::passes)).hasSize(3);
    assertThat(verdicts.get(7)).isInstanceOf(Verdict.Refused.class);
    assertThat(((Verdict.Refused) verdicts.get(7)).binding()).isEqualTo(1);
    assertThat(((Verdict.Refused) verdicts.get(7)).standings().get(0).remaining()).isEqualTo(7);
    assertThat(remaining(caller)).isEqualTo(7);
    assertThat(remaining(everyone)).isZero();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void refundGoesToTheInstantAtWhichEachMasterHasCharged(Algorithm algorithm) {
    List<KeyedLimit> limits =
        List.of(ofCaller(2, "10/1h", algorithm), ofEveryone("10/1h", algorithm));
    Verdict.Decided charged = (Verdict.Decided) store.decide(limits, 4);
    store.decide(limits, 1);

    store.settle(limits, -4, charged.nowMicros());

    assertThat(limits).allMatch(limit -> remaining(limit) == 9);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void sumsAgreeWhenManyThreadsOfTwoNodesAskAtOnce(Algorithm algorithm) {
    KeyedLimit everyone = ofEveryone("40/400d", algorithm);
    int callers = 6;
    AtomicInteger admitted = new AtomicInteger();

    List<Thread> threads =
        IntStream.range(0, THREADS)
            .mapToObj(
                t ->
                    new Thread(
                        () -> {
                          for (int i = 0; i < 15; i++) {
                            KeyedLimit caller = ofCaller((t + i) % callers, "10/400d", algorithm);
                            List<KeyedLimit> limits =
                                i % 2 == 0 ? List.of(caller, everyone) : List.of(everyone, caller);
                            if (passes((t % 2 == 0 ? store : otherNode).decide(limits, 1))) {
                              admitted.incrementAndGet();
                            }
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    RedisServerProcess.await("all have asked", () -> threads.stream().noneMatch(Thread::isAlive));

    long usedByCallers =
        IntStream.range(0, callers)
            .mapToLong(i -> 10 - remaining(ofCaller(i, "10/400d", algorithm)))
            .sum();
    assertThat(admitted).hasValue(40);
    assertThat(remaining(everyone)).isZero();
    assertThat(usedByCallers).isEqualTo(40);
  }

  @Test
  void decidesLimitsOfOneSlotInOneTrip() {
    List<KeyedLimit> limits =
        List.of(
            ofCaller(3, "10/1h", Algorithm.TOKEN_BUCKET),
            ofCaller(3, "10/1h", Algorithm.FIXED_WINDOW));
    store.decide(limits, 1);
    long before = callsAt(limits.get(0));

    assertThat(passes(store.decide(limits, 1))).isTrue();

    assertThat(callsAt(limits.get(0)) - before).isEqualTo(1);
  }

  @Test
  void resetForgetsEverySlot() {
    List<KeyedLimit> limits =
        List.of(
            ofCaller(4, "10/1h", Algorithm.TOKEN_BUCKET),
            ofEveryone("10/1h", Algorithm.TOKEN_BUCKET));
    store.decide(limits, 8);

    store.reset(limits);

    assertThat(limits).allMatch(limit -> remaining(limit) == 10);
  }

  @Test
  void followsASlotThatMovesAndKeepsItsUsage() {
    KeyedLimit moving = keyed("{moving}", "10/1h", Algorithm.TOKEN_BUCKET);
    List<KeyedLimit> limits = List.of(moving, ofEveryone("20/1h", Algorithm.TOKEN_BUCKET));
    store.decide(limits, 4);
    RedisServerProcess from = cluster.masterOf(moving.key());
    RedisServerProcess to =
        cluster.masters().stream().filter(other -> other != from).findFirst().orElseThrow();

    cluster.move(moving.key(), from, to);
    try {
      assertThat(passes(store.decide(limits, 1))).isTrue();
      assertThat(passes(otherNode.decide(limits, 1))).isTrue();
      assertThat(remaining(moving)).isEqualTo(4);
      assertThat(to.keys()).contains(moving.key());
    } finally {
      cluster.move(moving.key(), to, from);
    }
  }

  @Test
  void opensWhatAnApplicationConfigures() {
    RedisOptions options = cluster.options().within(Duration.ofSeconds(5));
    GuardOptions defaults = GuardOptions.defaults();
    GuardOptions guard =
        new GuardOptions(Duration.ofSeconds(5), defaults.onFailure(), 100, defaults.retryEvery());
    List<KeyedLimit> limits =
        List.of(
            ofCaller(5, "10/1h", Algorithm.TOKEN_BUCKET),
            ofEveryone("20/1h", Algorithm.TOKEN_BUCKET));

    try (GuardedStore opened =
        RedisStores.open(
            options,
            new MemoryLimitStore(100, MicrosClock.system()),
            guard,
            Duration.ofSeconds(10))) {
      opened.decide(limits, 3);
      assertThat(opened.isFaulty()).isFalse();
    }
    assertThat(remaining(limits.get(0))).isEqualTo(7);
    assertThat(remaining(limits.get(1))).isEqualTo(17);
  }

  private static WaitingStore node() {
    RedisLimitStore node = new RedisLimitStore(cluster.options().within(Duration.ofSeconds(5)));
    assertThat(node.awaitReady(Duration.ofSeconds(20))).isTrue();
    return new WaitingStore(RedisStores.ofAnySlots(node));
  }

  private static KeyedLimit ofCaller(int number, String limit, Algorithm algorithm) {
    return keyed("{caller-" + number + "}", limit, algorithm);
  }

  private static KeyedLimit ofEveryone(String limit, Algorithm algorithm) {
    return keyed("{" + KeyedLimit.EVERYONE + "}", limit, algorithm);
  }

  private static KeyedLimit keyed(String whose, String limit, Algorithm algorithm) {
    return new KeyedLimit(
        "shop:2:" + whose + ":search:" + algorithm,
        RateAlgorithm.of(LimitSpec.parse(limit, algorithm)));
  }

  private static boolean passes(Verdict verdict) {
    return verdict instanceof Verdict.Admitted;
  }

  private static long remaining(KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }

  private static long callsAt(KeyedLimit limit) {
    RedisServerProcess master = cluster.masterOf(limit.key());
    return master.callsOf("evalsha") + master.callsOf("eval");
  }
}
