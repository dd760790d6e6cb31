package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedStoreTest {

  private static final long NOW = 1_800_000_000_000_000L;
  private static final KeyedLimit FIVE = new KeyedLimit("k", new TokenBucket(5, 60_000_000, 5));
  private static final List<KeyedLimit> LIMITS = List.of(FIVE);
  private static final Verdict REFUSED =
      new Verdict.Refused(List.of(FIVE.limit().standing(new long[4], NOW)), NOW, 0, 17);

  private final RemoteStore remote = new RemoteStore();
  private final RecordedWait wait = new RecordedWait();
  private final ManualClock clock = new ManualClock();
  private final MemoryLimitStore local = new MemoryLimitStore(100, () -> NOW);

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Test
  void returnsARefusalOfTheSharedStoreAsItIs() {
    remote.answer = CompletableFuture.completedFuture(REFUSED);

    Verdict verdict = guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 1);

    assertThat(verdict).isSameAs(REFUSED);
  }

  @Test
  void answersWhatTheNodeKnowsWithoutAskingAndWithoutWaiting() {
    remote.known = Optional.of(REFUSED);

    Verdict verdict = guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 1);

    assertThat(verdict).isSameAs(REFUSED);
    assertThat(remote.questions).isZero();
    assertThat(wait.askedNanos).isEmpty();
  }

  @Test
  void admitsByALeaseWhileTheStoreIsAwayAndNothingElse() {
    GuardedStore store = guarded(OnStoreFailure.DENY, 100);
    remote.fail();
    IntStream.range(0, 10).forEach(i -> store.decide(LIMITS, 1, 10));
    Verdict admitted = new Verdict.Admitted(List.of(), NOW);
    remote.leased = Optional.of(admitted);
    int questions = remote.questions;

    assertThat(store.decide(LIMITS, 1, 10)).isSameAs(admitted);
    assertThat(store.decide(LIMITS, 1)).isInstanceOf(Verdict.Unavailable.class);
    assertThat(store.isShared()).isFalse();
    assertThat(remote.questions).isEqualTo(questions);
  }

  @Test
  void answersThatNobodyWasAskedForDoNotHideAnOutage() {
    GuardedStore store = guarded(OnStoreFailure.ALLOW, 100);
    remote.fail();

    for (int i = 0; i < 10; i++) {
      remote.known = Optional.empty();
      store.decide(LIMITS, 1);
      remote.known = Optional.of(REFUSED);
      IntStream.range(0, 100).forEach(j -> store.decide(LIMITS, 1));
    }

    assertThat(store.isShared()).isFalse();
    assertThat(remote.questions).isEqualTo(5);
  }

  @Test
  void asksToWaitNoLongerThanTheBudget() {
    remote.answer = new CompletableFuture<>();

    guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 1);

    assertThat(wait.askedNanos).containsExactly(Duration.ofMillis(50).toNanos());
  }

  @Test
  void cancelsTheQuestionThatCameTooLate() {
    CompletableFuture<Verdict> late = new CompletableFuture<>();
    remote.answer = late;

    guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 1);

    assertThat(late).isCancelled();
  }

  @Test
  void decidesAloneWhenTheStoreFails() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.LOCAL, 100);

    Verdict first = store.decide(LIMITS, 5);
    Verdict second = store.decide(LIMITS, 1);

    assertThat(first).isInstanceOf(Verdict.Admitted.class);
    assertThat(second).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void decidesAloneWithItsShareRoundedUp() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.LOCAL, 50);

    Verdict.Decided verdict = (Verdict.Decided) store.decide(LIMITS, 1);

    assertThat(verdict.standings().get(0).limit()).isEqualTo(3);
    assertThat(verdict.standings().get(0).remaining()).isEqualTo(2);
  }

  @Test
  void passesUncheckedWhenToldToAllow() {
    remote.fail();

    assertThat(guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 1))
        .isEqualTo(new Verdict.Unchecked());
  }

  @Test
  void isUnavailableWhenToldToDeny() {
    remote.fail();

    assertThat(guarded(OnStoreFailure.DENY, 100).decide(LIMITS, 1))
        .isEqualTo(new Verdict.Unavailable(1_000_000));
  }

  @Test
  void leavesAStoreAloneThatFailedFiveTimes() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.ALLOW, 100);

    for (int i = 0; i < 100; i++) {
      store.decide(LIMITS, 1);
    }

    assertThat(remote.questions).isEqualTo(5);
    assertThat(store.isShared()).isFalse();
  }

  @Test
  void triesTwiceASecondAndSharesAgainWhenBothAnswer() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.ALLOW, 100);
    for (int i = 0; i < 10; i++) {
      store.decide(LIMITS, 1);
    }
    clock.advance(Duration.ofMillis(1_001));
    remote.answer = CompletableFuture.completedFuture(REFUSED);

    store.decide(LIMITS, 1);
    boolean isSharedAfterOne = store.isShared();
    store.decide(LIMITS, 1);

    assertThat(isSharedAfterOne).isFalse();
    assertThat(store.isShared()).isTrue();
    assertThat(store.decide(LIMITS, 1)).isSameAs(REFUSED);
  }

  @Test
  void doesNotAskBeforeTheSecondIsOver() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.ALLOW, 100);
    for (int i = 0; i < 10; i++) {
      store.decide(LIMITS, 1);
    }
    clock.advance(Duration.ofMillis(999));

    store.decide(LIMITS, 1);

    assertThat(remote.questions).isEqualTo(5);
  }

  @Test
  void keepsTheInterruptAndBlamesNobody() {
    GuardedStore store = guarded(OnStoreFailure.ALLOW, 100);

    for (int i = 0; i < 10; i++) {
      remote.answer = new CompletableFuture<>();
      Thread.currentThread().interrupt();
      assertThat(store.decide(LIMITS, 1)).isEqualTo(new Verdict.Unchecked());
      assertThat(Thread.interrupted()).isTrue();
    }

    assertThat(store.isShared()).isTrue();
  }

  @Test
  void treatsAStoreThatThrowsAsOneThatFails() {
    remote.thrown =
        Optional.of(
            () -> {
              throw new IllegalStateException("broken");
            });

    assertThat(guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 1))
        .isEqualTo(new Verdict.Unchecked());
  }

  @Test
  void treatsAStoreThatGetsNoThreadAsOneThatFails() {
    remote.thrown =
        Optional.of(
            () -> {
              throw new OutOfMemoryError("unable to create native thread: possibly");
            });
    GuardedStore store = guarded(OnStoreFailure.ALLOW, 100);

    for (int i = 0; i < 10; i++) {
      assertThat(store.decide(LIMITS, 1)).isEqualTo(new Verdict.Unchecked());
    }

    assertThat(store.isShared()).isFalse();
  }

  @Test
  void treatsAStoreThatDoesNotLoadAsOneThatFails() {
    remote.thrown =
        Optional.of(
            () -> {
              throw new NoClassDefFoundError("org/redisson/Some");
            });

    assertThat(guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 1))
        .isEqualTo(new Verdict.Unchecked());
  }

  @Test
  void passesOnAnErrorOfTheMachineAndBlamesNobody() {
    remote.thrown =
        Optional.of(
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    GuardedStore store = guarded(OnStoreFailure.ALLOW, 100);

    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> store.decide(LIMITS, 1)).isInstanceOf(OutOfMemoryError.class);
    }

    assertThat(store.isShared()).isTrue();
  }

  @Test
  void refusesACostThatIsNoCost() {
    assertThatThrownBy(() -> guarded(OnStoreFailure.ALLOW, 100).decide(LIMITS, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cost must be at least 1, was 0");
  }

  @Test
  void peeksAtItsOwnCountWhenTheStoreFails() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.LOCAL, 100);
    store.decide(LIMITS, 2);

    assertThat(store.peek(LIMITS).standings().get(0).remaining()).isEqualTo(3);
  }

  @Test
  void cannotPeekWhenTheStoreFailsAndThisNodeDoesNotCount() {
    remote.fail();

    assertThatThrownBy(() -> guarded(OnStoreFailure.DENY, 100).peek(LIMITS))
        .isInstanceOf(StoreException.class)
        .hasMessage("the shared store does not answer");
  }

  @Test
  void tellsEachChangeOfModeOnce() {
    String log =
        logOf(
            () -> {
              remote.fail();
              GuardedStore store = guarded(OnStoreFailure.LOCAL, 100);
              for (int second = 0; second < 5; second++) {
                for (int i = 0; i < 20; i++) {
                  store.decide(LIMITS, 1);
                }
                clock.advance(Duration.ofMillis(1_001));
              }
              remote.answer = CompletableFuture.completedFuture(REFUSED);
              for (int i = 0; i < 20; i++) {
                store.decide(LIMITS, 1);
              }
            });

    assertThat(log).containsOnlyOnce("does not answer").containsOnlyOnce("answers again");
    assertThat(log).contains("comporta.on-store-failure=LOCAL");
  }

  @Test
  void isLoudOnceAMinuteAboutAnErrorThatLastsAndStaysShared() {
    remote.answer =
        CompletableFuture.failedFuture(StoreException.permanent("Redis answered WRONGTYPE"));
    GuardedStore store = guarded(OnStoreFailure.LOCAL, 100);

    String firstMinute = logOf(() -> TWENTY_TIMES.forEach(i -> store.decide(LIMITS, 1)));
    clock.advance(Duration.ofMinutes(1));
    String secondMinute = logOf(() -> TWENTY_TIMES.forEach(i -> store.decide(LIMITS, 1)));

    assertThat(firstMinute).containsOnlyOnce("ERROR").contains("Redis answered WRONGTYPE");
    assertThat(secondMinute).containsOnlyOnce("ERROR");
    assertThat(store.isShared()).isTrue();
  }

  @Test
  void closesBoth() {
    guarded(OnStoreFailure.LOCAL, 100).close();

    assertThat(remote.isClosed).isTrue();
  }

  private static final List<Integer> TWENTY_TIMES = IntStream.range(0, 20).boxed().toList();

  private GuardedStore guarded(OnStoreFailure onFailure, int share) {
    GuardOptions options =
        new GuardOptions(Duration.ofMillis(50), onFailure, share, Duration.ofSeconds(1));
    return new GuardedStore(remote, local, options, clock, wait);
  }

  private static String logOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return captured.toString(StandardCharsets.UTF_8);
  }

  /** Never waits: what is not there yet comes too late. */
  private static final class RecordedWait implements BoundedWait {

    private final List<Long> askedNanos = new ArrayList<>();

    @Override
    public <T> T await(Future<T> future, long nanos)
        throws InterruptedException, ExecutionException, TimeoutException {
      askedNanos.add(nanos);
      return future.get(0, TimeUnit.NANOSECONDS);
    }
  }

  /** Stands still until it is told. */
  private static final class ManualClock extends Clock {

    private Instant now = Instant.EPOCH;

    void advance(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
