package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Flights over a carrier whose calls return when the test says so. */
class FlightsTest {

  private final List<Call> calls = new ArrayList<>();
  private long nowNanos;
  private final Flights flights = new Flights(this::carry, 2, () -> nowNanos);

  /** One that has left. */
  private record Call(List<Question> aboard, CompletableFuture<Boolean> landing) {

    List<Long> costs() {
      return aboard.stream().map(Question::cost).toList();
    }

    void land() {
      aboard.forEach(question -> question.answer().complete(new Verdict.Unchecked()));
      landing.complete(true);
    }
  }

  @Test
  void loneDecisionsLeaveAtOnce() {
    add(1);
    add(2);

    assertThat(calls).extracting(Call::costs).containsExactly(List.of(1L), List.of(2L));
  }

  @Test
  void whatIsAskedWhileTwoAreUnderWayLeavesTogetherAndInOrderWhenOneReturns() {
    add(1);
    add(2);
    LongStream.rangeClosed(3, 9).forEach(this::add);

    calls.get(1).land();

    assertThat(calls).hasSize(3);
    assertThat(calls.get(2).costs()).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void neverMoreThanTwoAreUnderWay() {
    LongStream.rangeClosed(1, 50).forEach(this::add);
    calls.get(0).land();
    LongStream.rangeClosed(51, 60).forEach(this::add);

    assertThat(calls.stream().filter(call -> !call.landing().isDone())).hasSize(2);
    assertThat(calls.get(2).costs()).hasSize(48);
  }

  @Test
  void leavesAgainAtOnceAfterAllHaveReturned() {
    add(1);
    calls.get(0).land();

    add(2);
    add(3);

    assertThat(calls).hasSize(3);
  }

  @Test
  void carriesNoMoreThanItsBound() {
    add(1);
    add(2);
    IntStream.range(0, Flights.MOST_ABOARD + 1).forEach(i -> add(3));

    calls.get(0).land();
    calls.get(1).land();

    assertThat(calls.get(2).aboard()).hasSize(Flights.MOST_ABOARD);
    assertThat(calls.get(3).aboard()).hasSize(1);
  }

  @Test
  void leavesBehindWhomNobodyWaitsForAnyMore() {
    add(1);
    add(2);
    add(3).answer().cancel(false);
    add(4);

    calls.get(0).land();

    assertThat(calls.get(2).costs()).containsExactly(4L);
  }

  @Test
  void leavesNotAtAllIfNobodyWaitsAnyMore() {
    add(1);
    add(2);
    add(3).answer().cancel(false);

    calls.get(0).land();

    assertThat(calls).hasSize(2);
  }

  @Test
  void callThatFailsMakesRoomForTheNextOne() {
    add(1);
    add(2);
    add(3);

    calls.get(0).landing().complete(false);

    assertThat(calls).hasSize(3);
  }

  @Test
  void callsThatFailBeforeTheyHaveLeftHoldUpNobodyHoweverManyWait() {
    List<Integer> sizes = new ArrayList<>();
    List<Call> slow = new ArrayList<>();
    Flights failing =
        new Flights(
            aboard -> {
              Call call = new Call(aboard, new CompletableFuture<>());
              sizes.add(aboard.size());
              if (sizes.size() > 1) {
                call.land();
              } else {
                slow.add(call);
              }
              return call.landing();
            },
            1,
            () -> 0);
    IntStream.range(0, Flights.MOST_WAITING).forEach(i -> failing.add(question(1)));

    slow.get(0).land();

    assertThat(sizes.stream().mapToInt(size -> size).sum()).isEqualTo(Flights.MOST_WAITING);
  }

  @Test
  void callWhoseEndIsNeverToldIsGivenUp() {
    add(1);
    add(2);
    nowNanos = Flights.LOST_AFTER_NANOS;
    add(3);
    assertThat(calls).hasSize(2);

    nowNanos++;
    add(4);

    assertThat(calls).hasSize(3);
    assertThat(calls.get(2).costs()).containsExactly(3L, 4L);
  }

  @Test
  void eachSlotHasCallsOfItsOwnThatNeverMix() {
    for (int slot = 1; slot <= 2; slot++) {
      for (long cost = 1; cost <= 4; cost++) {
        flights.addOfSlot(OptionalInt.of(slot), question(slot * 10L + cost));
      }
    }

    calls.get(0).land();
    calls.get(2).land();

    assertThat(calls)
        .extracting(Call::costs)
        .containsExactly(
            List.of(11L),
            List.of(12L),
            List.of(21L),
            List.of(22L),
            List.of(13L, 14L),
            List.of(23L, 24L));
  }

  @Test
  void limitsOfSeveralSlotsLeaveAtOnceAndAlone() {
    add(1);
    add(2);

    flights.addOfSlot(OptionalInt.empty(), question(3));
    flights.addOfSlot(OptionalInt.empty(), question(4));

    assertThat(calls).hasSize(4);
    assertThat(calls.get(3).costs()).containsExactly(4L);
  }

  @Test
  void failsOneMoreThanMayWait() {
    add(1);
    add(2);
    List<Question> waiting =
        IntStream.range(0, Flights.MOST_WAITING).mapToObj(i -> add(3)).toList();

    Question tooMany = add(4);
    waiting.get(7).answer().cancel(false);
    Question another = add(5);

    assertThat(tooMany.answer())
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(StoreException.class)
        .withMessageContaining("too many decisions wait for Redis");
    assertThat(another.answer()).isNotDone();
  }

  @Test
  void failsThoseWhoWaitWhenClosed() {
    add(1);
    add(2);
    Question waiting = add(3);

    flights.close();
    Question late = add(4);

    assertThat(List.of(waiting, late)).allMatch(question -> question.answer().isDone());
    assertThat(calls).hasSize(2);
  }

  private Question add(long cost) {
    Question question = question(cost);
    flights.add(question);
    return question;
  }

  private static Question question(long cost) {
    return new Question(List.of(new KeyedLimit("k", new TokenBucket(10, 1_000, 10))), cost);
  }

  private CompletionStage<?> carry(List<Question> aboard) {
    Call call = new Call(aboard, new CompletableFuture<>());
    calls.add(call);
    return call.landing();
  }
}
