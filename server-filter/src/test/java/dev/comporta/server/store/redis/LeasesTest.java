package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeasesTest {

  private static final long MINUTE = 60_000_000L;
  private static final KeyedLimit BUCKET =
      new KeyedLimit("{a}:tb", new TokenBucket(100, MINUTE, 100));
  private static final KeyedLimit WINDOW =
      new KeyedLimit("{a}:sw", new SlidingWindowCounter(50, MINUTE));
  private static final KeyedLimit EVERYONE =
      new KeyedLimit("{everyone}:tb", new TokenBucket(1_000, MINUTE, 1_000));
  private static final List<KeyedLimit> BOTH = List.of(BUCKET, WINDOW);

  private final List<String> returned = new ArrayList<>();
  private long nowNanos = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(500); // soon negative
  private CompletionStage<?> returning = CompletableFuture.completedFuture(null);
  private final Leases leases =
      new Leases(
          () -> nowNanos,
          (limits, permits, atMicros) -> {
            returned.add(permits + " of " + limits.get(0).key() + " at " + atMicros);
            return returning;
          });

  @Test
  void lifetimeIsATwentiethOfTheShortestWindowAndASecondAtMost() {
    KeyedLimit tenSeconds = keyed(new TokenBucket(10, 10_000_000, 10));
    KeyedLimit burst = keyed(new TokenBucket(100, MINUTE, 5));

    assertThat(Leases.lifetimeNanos(List.of(BUCKET))).isEqualTo(1_000_000_000);
    assertThat(Leases.lifetimeNanos(List.of(BUCKET, tenSeconds))).isEqualTo(500_000_000);
    assertThat(Leases.lifetimeNanos(List.of(burst))).isEqualTo(150_000_000);
  }

  @Test
  void limitsWithALogHaveNoLeases() {
    assertThat(Leases.lifetimeNanos(List.of(BUCKET, keyed(new SlidingWindowLog(10, MINUTE)))))
        .isZero();
  }

  @Test
  void whoComesOnceOrdersNothing() {
    assertThat(leases.way(BOTH, 1, 10).order()).isEmpty();
    passMillis(1_000);
    assertThat(leases.way(BOTH, 1, 10).order()).isEmpty();
  }

  @Test
  void whoComesBackWithinALifetimeOrders() {
    leases.way(BOTH, 1, 10);
    passMillis(999);

    assertThat(leases.way(BOTH, 1, 10).order().orElseThrow().times()).isEqualTo(9);
  }

  @Test
  void ordersOneAtATime() {
    leases.way(BOTH, 1, 10);

    Optional<Leases.Order> first = leases.way(BOTH, 1, 10).order();
    Optional<Leases.Order> second = leases.way(BOTH, 1, 10).order();

    assertThat(first).isPresent();
    assertThat(second).isEmpty();
  }

  @Test
  void ordersAgainWhenALeaseIsLostOnItsWay() {
    leases.way(BOTH, 1, 10);
    Leases.Order lost = leases.way(BOTH, 1, 10).order().orElseThrow();
    passMillis(999);
    leases.way(BOTH, 1, 10);
    passMillis(1);

    assertThat(leases.way(BOTH, 1, 10).order()).isPresent();
    lost.arrived(debit(9));
    assertThat(leases.take(BOTH, 1)).isEmpty();
    assertThat(returned).containsExactly("9 of {a}:tb at 7");
  }

  @Test
  void costsAreCountedIntoALease() {
    leases.way(BOTH, 3, 10);

    assertThat(leases.way(BOTH, 3, 10).order().orElseThrow().times()).isEqualTo(2);
  }

  @Test
  void costsOfMoreThanHalfALeaseOrderNothing() {
    leases.way(BOTH, 6, 10);

    assertThat(leases.way(BOTH, 6, 10).order()).isEmpty();
    assertThat(leases.way(BOTH, 60, 10).order()).isEmpty();
  }

  @Test
  void tellsWhatRedisWouldHaveToldOfThatMany() {
    take(9);

    Verdict.Admitted first = (Verdict.Admitted) leases.take(BOTH, 1).orElseThrow();
    Verdict.Admitted third = (Verdict.Admitted) leases.take(BOTH, 2).orElseThrow();

    assertThat(first.nowMicros()).isEqualTo(7);
    assertThat(first.standings()).extracting(Standing::remaining).containsExactly(97L, 47L);
    assertThat(third.standings()).extracting(Standing::remaining).containsExactly(95L, 45L);
  }

  @Test
  void tellsTheResetAsIfAllWereUsed() {
    take(9);

    Verdict.Admitted first = (Verdict.Admitted) leases.take(BOTH, 1).orElseThrow();

    assertThat(first.standings().get(0).resetAfterMicros()).isEqualTo(11 * MINUTE / 100);
  }

  @Test
  void answersUntilNothingIsLeft() {
    take(2);

    assertThat(leases.take(BOTH, 1)).isPresent();
    assertThat(leases.take(BOTH, 2)).isEmpty();
    assertThat(leases.take(BOTH, 1)).isPresent();
    assertThat(leases.take(BOTH, 1)).isEmpty();
    assertThat(leases.way(BOTH, 1, 10).order()).isPresent();
    assertThat(returned).isEmpty();
  }

  @Test
  void answersUntilItsLifetimeFromTheSendingIsOver() {
    take(9);

    passMillis(999);
    assertThat(leases.take(BOTH, 1)).isPresent();
    passMillis(1);
    assertThat(leases.take(BOTH, 1)).isEmpty();
  }

  @Test
  void answersOnlyForItsLimits() {
    take(9);

    assertThat(leases.take(List.of(BUCKET), 1)).isEmpty();
    assertThat(leases.take(List.of(BUCKET, keyed(new TokenBucket(60, MINUTE, 60))), 1)).isEmpty();
  }

  @Test
  void nextTripWaitsUntilWhatWasLeftIsBack() {
    take(9);
    leases.take(BOTH, 1);
    CompletableFuture<Object> underWay = new CompletableFuture<>();
    returning = underWay;

    passMillis(1_000);
    Leases.Way way = leases.way(BOTH, 1, 10);

    assertThat(returned).containsExactly("8 of {a}:tb at 7");
    assertThat(way.ready().toCompletableFuture()).isNotDone();
    underWay.complete("back");
    assertThat(way.ready().toCompletableFuture()).isDone();
  }

  @Test
  void higherCostGivesBackFirst() {
    take(9);

    leases.way(BOTH, 20, 10);

    assertThat(returned).containsExactly("9 of {a}:tb at 7");
  }

  @Test
  void whoeverComesGivesBackWhatIsOver() {
    take(9);

    leases.giveBackOverdue();
    passMillis(1_000);
    leases.giveBackOverdue();
    leases.giveBackOverdue();

    assertThat(returned).containsExactly("9 of {a}:tb at 7");
    assertThat(leases.take(BOTH, 1)).isEmpty();
  }

  @Test
  void changeEndsALease() {
    take(9);

    leases.changed(List.of(WINDOW));

    assertThat(leases.take(BOTH, 1)).isEmpty();
    leases.way(BOTH, 1, 10);
    assertThat(returned).containsExactly("9 of {a}:tb at 7");
  }

  @Test
  void changeEndsALeaseOnItsWay() {
    leases.way(BOTH, 1, 10);
    Leases.Order order = leases.way(BOTH, 1, 10).order().orElseThrow();

    leases.changed(List.of(WINDOW));
    order.arrived(debit(9));

    assertThat(leases.take(BOTH, 1)).isEmpty();
    assertThat(returned).containsExactly("9 of {a}:tb at 7");
  }

  @Test
  void changeForEveryoneLeavesTheLeasesOfCallers() {
    List<KeyedLimit> limits = List.of(BUCKET, EVERYONE);
    leases.way(limits, 1, 10);
    Leases.Order order = leases.way(limits, 1, 10).order().orElseThrow();
    order.arrived(new Lease.Debit(states(limits), 9, 7, nowNanos));

    leases.changed(List.of(EVERYONE));

    assertThat(leases.take(limits, 1)).isPresent();
  }

  @Test
  void afterAResetNothingIsGivenBack() {
    take(9);

    leases.forgotten(BOTH);

    assertThat(leases.take(BOTH, 1)).isEmpty();
    leases.way(BOTH, 1, 10);
    leases.endAll();
    assertThat(returned).isEmpty();
  }

  @Test
  void resetOfOneLimitLeavesTheOthersTheirPermits() {
    take(9);

    leases.forgotten(List.of(BUCKET));
    leases.endAll();

    assertThat(returned).containsExactly("9 of {a}:sw at 7");
  }

  @Test
  void leaseOfNothingIsNone() {
    leases.way(BOTH, 1, 10);
    leases.way(BOTH, 1, 10).order().orElseThrow().arrived(debit(0));

    assertThat(leases.take(BOTH, 1)).isEmpty();
    assertThat(leases.way(BOTH, 1, 10).order()).isPresent();
    leases.close();
    assertThat(returned).isEmpty();
  }

  @Test
  void closingGivesBackAndOrdersNoMore() {
    take(9);

    leases.close();
    leases.close();

    assertThat(returned).containsExactly("9 of {a}:tb at 7");
    assertThat(leases.way(BOTH, 1, 10).order()).isEmpty();
  }

  @Test
  void leaseThatComesAfterClosingIsGivenBack() {
    leases.way(BOTH, 1, 10);
    Leases.Order order = leases.way(BOTH, 1, 10).order().orElseThrow();

    leases.close();
    order.arrived(debit(9));

    assertThat(returned).containsExactly("9 of {a}:tb at 7");
  }

  @Test
  void closingWaitsForALeaseOnItsWayAndUntilItIsBack() {
    leases.way(BOTH, 1, 10);
    Leases.Order order = leases.way(BOTH, 1, 10).order().orElseThrow();
    CompletableFuture<Object> underWay = new CompletableFuture<>();
    returning = underWay;

    CompletableFuture<?> closed = leases.close().toCompletableFuture();

    assertThat(closed).isNotDone();
    order.arrived(debit(9));
    assertThat(closed).isNotDone();
    underWay.complete("back");
    assertThat(closed).isDone();
  }

  @Test
  void closingWaitsForNoLeaseThatFailedOrIsLate() {
    leases.way(BOTH, 1, 10);
    leases.way(BOTH, 1, 10).order().orElseThrow().failed();
    List<KeyedLimit> others = List.of(new KeyedLimit("{b}:tb", BUCKET.limit()));
    leases.way(others, 1, 10);
    assertThat(leases.way(others, 1, 10).order()).isPresent();
    passMillis(1_000);

    assertThat(leases.close().toCompletableFuture()).isDone();
  }

  @Test
  void failureOrdersNoEarlierThanALostAnswer() {
    leases.way(BOTH, 1, 10);
    leases.way(BOTH, 1, 10).order().orElseThrow().failed();

    assertThat(leases.way(BOTH, 1, 10).order()).isEmpty();
  }

  @Test
  void placeIsLeftToItsCallerWhileHeHasALease() {
    take(9);
    List<KeyedLimit> others = withPlaceOf(BOTH);

    leases.way(others, 1, 10);
    assertThat(leases.way(others, 1, 10).order()).isEmpty();
    assertThat(leases.take(BOTH, 1)).isPresent();

    passMillis(1_000);
    leases.way(others, 1, 10);
    assertThat(leases.way(others, 1, 10).order()).isPresent();
    assertThat(returned).containsExactly("8 of {a}:tb at 7");
  }

  @Test
  void calendarWindowsHaveLeasesOfASecond() {
    KeyedLimit day = keyed(new FixedWindow(10, LimitSpec.parse("10/day").limitWindow()));

    assertThat(Leases.lifetimeNanos(List.of(day))).isEqualTo(1_000_000_000);
  }

  /** Another caller, whose place is the same. */
  private static List<KeyedLimit> withPlaceOf(List<KeyedLimit> limits) {
    int place = ChangeCounts.place(limits.get(0));
    int second = ChangeCounts.place(limits.get(1));
    return List.of(found(limits.get(0).limit(), place), found(limits.get(1).limit(), second));
  }

  private static KeyedLimit found(RateAlgorithm limit, int place) {
    for (int i = 0; ; i++) {
      KeyedLimit some = new KeyedLimit("{" + i + "}", limit);
      if (ChangeCounts.place(some) == place) {
        return some;
      }
    }
  }

  private void take(long permits) {
    leases.way(BOTH, 1, 10);
    leases.way(BOTH, 1, 10).order().orElseThrow().arrived(debit(permits));
  }

  /** After two requests of the caller. */
  private Lease.Debit debit(long permits) {
    return new Lease.Debit(states(BOTH), permits, 7, nowNanos);
  }

  private static List<long[]> states(List<KeyedLimit> limits) {
    return limits.stream()
        .map(limit -> limit.limit().charge(limit.limit().newState(), 2, 7))
        .toList();
  }

  private void passMillis(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static KeyedLimit keyed(RateAlgorithm limit) {
    return new KeyedLimit("{a}:other", limit);
  }
}
