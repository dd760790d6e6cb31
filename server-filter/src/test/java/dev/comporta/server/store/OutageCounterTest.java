package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a guard counts of a store that does not answer. */
class OutageCounterTest {

  private static final List<KeyedLimit> LIMITS =
      List.of(new KeyedLimit("k", new TokenBucket(5, 60_000_000, 5)));

  private final RemoteStore remote = new RemoteStore();
  private final GuardedStore store =
      new GuardedStore(
          remote,
          new MemoryLimitStore(10, () -> RemoteStore.NOW_MICROS),
          new GuardOptions(
              Duration.ofMillis(1), OnStoreFailure.ALLOW, 100, GuardOptions.DEFAULT_RETRY_EVERY),
          Clock.systemUTC(),
          BoundedWait.inThisThread());

  @Test
  void countsNothingWhileTheStoreAnswers() {
    remote.answer =
        CompletableFuture.completedFuture(new Verdict.Admitted(List.of(), RemoteStore.NOW_MICROS));

    store.decide(LIMITS, 1);

    assertThat(store.outageCounts()).isEqualTo(OutageCounts.NONE);
  }

  @Test
  void tellsLateAnswersErrorsThatPassAndErrorsThatLastApart() {
    store.decide(LIMITS, 1);
    remote.fail();
    store.decide(LIMITS, 1);
    remote.answer = CompletableFuture.failedFuture(StoreException.permanent("WRONGTYPE"));
    store.decide(LIMITS, 1);
    store.decide(LIMITS, 1);

    assertThat(store.outageCounts()).isEqualTo(new OutageCounts(1, 1, 2, 4));
  }

  @Test
  void countsDecisionsWithoutTheStoreAlsoWhileItIsLeftAlone() {
    remote.fail();

    IntStream.range(0, 20).forEach(i -> store.decide(LIMITS, 1));

    assertThat(store.outageCounts()).isEqualTo(new OutageCounts(0, 5, 0, 20));
  }

  @Test
  void countsAQuestionThatIsNoDecisionAsUnansweredAlone() {
    remote.fail();

    store.settle(LIMITS, 1, TimeUnit.SECONDS.toMicros(1));

    assertThat(store.outageCounts()).isEqualTo(new OutageCounts(0, 1, 0, 0));
  }
}
