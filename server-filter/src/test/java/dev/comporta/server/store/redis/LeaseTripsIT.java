package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.TripCounts;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller with a lease costs Redis, by what it says itself. Time stands still. */
class LeaseTripsIT {

  private static final long HOUR = 3_600_000_000L;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private static RedisServerProcess server;

  private final AtomicLong nanos = new AtomicLong();

  @BeforeAll
  static void open() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 10, 50})
  void manyDecisionsAreOneTripForEachLease(int lease) {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, lease);
      List<KeyedLimit> limits = limits("counted-" + lease);
      node.decide(limits, 1);
      long before = calls();
      List<Long> remaining = new ArrayList<>();

      for (int i = 0; i < 500; i++) {
        remaining.add(remaining(node.decide(limits, 1)));
      }

      int trips = 500 / lease;
      assertThat(calls() - before).isEqualTo(trips);
      assertThat(redis.tripCounts())
          .isEqualTo(new TripCounts(trips + 1, trips + 1, 0, 500 - trips));
      for (int i = 0; i < 500; i++) {
        assertThat(remaining.get(i)).isEqualTo(998 - i);
      }
    }
  }

  @Test
  void fetchingRequestIsToldTheResetAsIfAllWereUsed() {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      List<KeyedLimit> limits = List.of(limits("reset").get(0));
      node.decide(limits, 1);

      Verdict.Decided fetching = (Verdict.Decided) node.decide(limits, 1);
      Verdict.Decided last = fetching;
      for (int i = 0; i < 9; i++) {
        last = (Verdict.Decided) node.decide(limits, 1);
        assertThat(last.standings().get(0).resetAfterMicros()).isEqualTo(11 * HOUR / 1_000);
      }

      assertThat(fetching.standings().get(0).remaining()).isEqualTo(998);
      assertThat(fetching.standings().get(0).resetAfterMicros()).isEqualTo(11 * HOUR / 1_000);
      assertThat(last.standings()).isEqualTo(node.peek(limits).standings());
    }
  }

  @Test
  void whoComesOnceTakesNoMoreThanHeAsksFor() {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      List<KeyedLimit> limits = limits("once");

      node.decide(limits, 1);
      nanos.addAndGet(SECOND_NANOS);
      node.decide(limits, 1);

      assertThat(remaining(node.peek(limits))).isEqualTo(998);
    }
  }

  @Test
  void whatIsLeftIsGivenBackBeforeTheNextTripOfItsCaller() {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      List<KeyedLimit> limits = limits("back");
      node.decide(limits, 1);
      node.decide(limits, 1);
      node.decide(limits, 1);
      assertThat(remaining(node.peek(limits))).isEqualTo(989);

      nanos.addAndGet(SECOND_NANOS);

      assertThat(remaining(node.decide(limits, 1))).isEqualTo(996);
      assertThat(remaining(node.peek(limits))).isEqualTo(996);
    }
  }

  @Test
  void whatIsLeftIsGivenBackWhenAnybodyComes() {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      List<KeyedLimit> limits = limits("away");
      node.decide(limits, 1);
      node.decide(limits, 1);

      nanos.addAndGet(SECOND_NANOS);
      node.decide(limits("another"), 1);

      RedisServerProcess.await("it is back", () -> remaining(node.peek(limits)) == 998);
    }
  }

  @Test
  void whatIsLeftIsGivenBackAtTheEnd() {
    List<KeyedLimit> limits = limits("end");
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      node.decide(limits, 1);
      node.decide(limits, 1);
    }

    try (RedisLimitStore redis = node()) {
      assertThat(remaining(new WaitingStore(redis).peek(limits))).isEqualTo(998);
    }
  }

  @Test
  void leaseThatIsOnItsWayAtTheEndIsGivenBackToo() {
    List<KeyedLimit> limits = limits("end-on-its-way");
    try (RedisLimitStore redis = node()) {
      new LeasingStore(redis, 10).decide(limits, 1);
      server.command("CLIENT", "PAUSE", "200", "ALL");
      redis.decideAsync(limits, 1, 10);
    }

    try (RedisLimitStore redis = node()) {
      assertThat(remaining(new WaitingStore(redis).peek(limits))).isEqualTo(998);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsLeftFollowsUsageThatAChangedWindowHasMoved(boolean isBucket) {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      int place = isBucket ? 0 : 1;
      KeyedLimit hour = limits("moved-" + place).get(place);
      KeyedLimit twoHours =
          new KeyedLimit(
              hour.key() + ":2h",
              isBucket
                  ? new TokenBucket(1_000, 2 * HOUR, 1_000)
                  : new SlidingWindowCounter(1_000, 2 * HOUR),
              List.of(hour.key()));
      node.decide(List.of(hour), 1);
      node.decide(List.of(hour), 1);

      node.decide(List.of(twoHours), 1);
      nanos.addAndGet(SECOND_NANOS);
      redis.endLeases().toCompletableFuture().join();

      assertThat(remaining(node.peek(List.of(twoHours)))).isEqualTo(997);
    }
  }

  @Test
  void nobodyIsRefusedWhatThisNodeHoldsForHim() {
    try (RedisLimitStore redis = node()) {
      List<KeyedLimit> limits =
          List.of(new KeyedLimit("{at-once}:tb", new TokenBucket(11, HOUR, 11)));
      new LeasingStore(redis, 10).decide(limits, 1);
      server.command("CLIENT", "PAUSE", "200", "ALL");
      // Two calls are under way, so all that follow leave as one.
      redis.decideAsync(limits("first of two"), 1);
      redis.decideAsync(limits("second of two"), 1);

      List<CompletableFuture<Verdict>> atOnce = new ArrayList<>();
      for (int i = 0; i < 11; i++) {
        atOnce.add(redis.decideAsync(limits, 1, 10).toCompletableFuture());
      }

      assertThat(atOnce.stream().map(CompletableFuture::join))
          .filteredOn(Verdict.Admitted.class::isInstance)
          .hasSize(10);
    }
  }

  @Test
  void refundGoesIntoTheWindowOfTheDebitAndEndsTheLease() {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      List<KeyedLimit> limits = limits("refund");
      node.decide(limits, 1);
      node.decide(limits, 1);
      Verdict.Decided leased = (Verdict.Decided) node.decide(limits, 1);

      node.settle(limits, -1, leased.nowMicros());

      assertThat(redis.decideAtOnce(limits, 1, 10)).isEmpty();
      assertThat(remaining(node.decide(limits, 1))).isEqualTo(997);
    }
  }

  @Test
  void resetOfACallerGivesBackWhatItsLeaseHasOfTheLimitForEveryone() {
    try (RedisLimitStore redis = node()) {
      LeasingStore node = new LeasingStore(redis, 10);
      KeyedLimit own = limits("reset-of-one").get(0);
      KeyedLimit everyone = new KeyedLimit("{everyone}:reset:tb", own.limit());
      node.decide(List.of(own, everyone), 1);
      node.decide(List.of(own, everyone), 1);

      node.reset(List.of(own));
      redis.endLeases().toCompletableFuture().join();

      assertThat(remaining(node.peek(List.of(own)))).isEqualTo(1_000);
      assertThat(remaining(node.peek(List.of(everyone)))).isEqualTo(998);
    }
  }

  @Test
  void leaseIsUsedWhileRedisIsAwayAndNoLongerThanItLasts() {
    try (RedisServerProcess mortal = RedisServerProcess.started();
        RedisLimitStore redis = node(mortal)) {
      LeasingStore node = new LeasingStore(redis, 10);
      List<KeyedLimit> limits = limits("outage");
      node.decide(limits, 1);
      node.decide(limits, 1);

      mortal.kill();

      assertThat(redis.decideAtOnce(limits, 1, 10)).isPresent();
      assertThat(redis.decideAtOnce(limits, 9, 10)).isEmpty();
      assertThat(redis.decideAtOnce(List.of(limits.get(0)), 1, 10)).isEmpty();
      nanos.addAndGet(SECOND_NANOS);
      assertThat(redis.decideAtOnce(limits, 1, 10)).isEmpty();
    }
  }

  private static long calls() {
    return server.callsOf("eval") + server.callsOf("evalsha");
  }

  private static long remaining(Verdict verdict) {
    return least(((Verdict.Decided) verdict).standings());
  }

  private static long remaining(Standings standings) {
    return least(standings.standings());
  }

  private static long least(List<Standing> standings) {
    return standings.stream().mapToLong(Standing::remaining).min().orElseThrow();
  }

  private static List<KeyedLimit> limits(String caller) {
    String key = "{" + caller + "}";
    return List.of(
        new KeyedLimit(key + ":tb", new TokenBucket(1_000, HOUR, 1_000)),
        new KeyedLimit(key + ":sw", new SlidingWindowCounter(1_000, HOUR)));
  }

  private RedisLimitStore node() {
    return node(server);
  }

  private RedisLimitStore node(RedisServerProcess of) {
    AtomicLong micros = new AtomicLong(1_000_000_000_000_000L);
    MonotonicClock monotonic = nanos::get;
    MicrosClock clock = micros::get;
    RedisLimitStore node =
        RedisLimitStore.withGivenTime(
            RedisOptions.at(of.address()).within(Duration.ofSeconds(10)), clock, monotonic);
    assertThat(node.awaitReady(Duration.ofSeconds(10))).isTrue();
    return node;
  }
}
