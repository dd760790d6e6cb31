package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of a decision on several slots when one fails, is late, or nobody waits. */
class SlotwiseDecisionTest {

  private static final KeyedLimit CALLER = limit("{c}:a", 5);
  private static final KeyedLimit EVERYONE = limit("{everyone}:a", 3);
  private static final List<KeyedLimit> BOTH = List.of(EVERYONE, CALLER);

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L);
  private final MemoryLimitStore memory = new MemoryLimitStore(100, now::get);
  private final Masters masters = new Masters();
  private final SlotwiseStore store = new SlotwiseStore(masters, masters::look);

  @Test
  void asksTheLimitForEveryoneLast() {
    masters.holdBack();

    store.decideAsync(BOTH, 1);

    assertThat(remaining(CALLER)).isEqualTo(4);
    assertThat(remaining(EVERYONE)).isEqualTo(3);
  }

  @Test
  void givesBackWhatOneSlotTookWhenAnotherRefuses() {
    memory.decide(List.of(EVERYONE), 3);

    Verdict verdict = join(store.decideAsync(BOTH, 1));

    assertThat(verdict).isInstanceOf(Verdict.Refused.class);
    assertThat(((Verdict.Refused) verdict).binding()).isZero();
    assertThat(((Verdict.Refused) verdict).standings().get(1).remaining()).isEqualTo(5);
    assertThat(remaining(CALLER)).isEqualTo(5);
  }

  @Test
  void givesBackWhatOneSlotTookWhenAnotherFails() {
    masters.failing = "{everyone}";

    CompletionStage<Verdict> verdict = store.decideAsync(BOTH, 1);

    assertThatThrownBy(() -> join(verdict)).hasRootCauseInstanceOf(StoreException.class);
    assertThat(remaining(CALLER)).isEqualTo(5);
  }

  @Test
  void givesBackWhatWasTakenWhenNobodyWaitsBetweenTwoSlots() {
    masters.holdBack();
    CompletionStage<Verdict> verdict = store.decideAsync(BOTH, 1);

    verdict.toCompletableFuture().cancel(false);
    masters.release();

    assertThat(remaining(CALLER)).isEqualTo(5);
    assertThat(remaining(EVERYONE)).isEqualTo(3);
  }

  @Test
  void refusesStillWhenASlotThatIsNotAskedDoesNotTell() {
    memory.decide(List.of(CALLER), 5);
    masters.failing = "{everyone}";

    Verdict verdict = join(store.decideAsync(BOTH, 1));

    assertThat(verdict).isInstanceOf(Verdict.Refused.class);
    assertThat(((Verdict.Refused) verdict).binding()).isEqualTo(1);
    assertThat(((Verdict.Refused) verdict).standings().get(0).remaining()).isZero();
  }

  @Test
  void chargesNoSlotForACostThatCanNeverPass() {
    masters.failing = "{everyone}";

    Verdict verdict = join(store.decideAsync(BOTH, 4));

    assertThat(verdict).isInstanceOf(Verdict.Impossible.class);
    assertThat(((Verdict.Impossible) verdict).binding()).isZero();
    assertThat(remaining(CALLER)).isEqualTo(5);
  }

  @Test
  void givesARefundBackAtTheInstantAtWhichEachSlotWasCharged() {
    masters.tick = 700;
    Verdict.Admitted admitted = (Verdict.Admitted) join(store.decideAsync(BOTH, 2));

    Standings after = join(store.settleAsync(BOTH, -2, admitted.nowMicros()));

    assertThat(after.standings())
        .extracting(standing -> standing.remaining())
        .containsExactly(3L, 5L);
  }

  @Test
  void givesBackASurchargeOfSeveralSlots() {
    masters.tick = 700;
    Standings surcharged = join(store.settleAsync(BOTH, 2, now.get()));

    join(store.settleAsync(BOTH, -2, surcharged.nowMicros()));

    assertThat(remaining(CALLER)).isEqualTo(5);
    assertThat(remaining(EVERYONE)).isEqualTo(3);
  }

  private long remaining(KeyedLimit limit) {
    return memory.peek(List.of(limit)).standings().get(0).remaining();
  }

  private static <T extends @Nullable Object> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static KeyedLimit limit(String key, long permits) {
    return new KeyedLimit(key, new SlidingWindowLog(permits, 60_000_000));
  }

  /** Masters that answer at once by one memory, fail, or answer when they are told to. */
  private final class Masters implements AsyncLimitStore {

    private final Deque<Runnable> held = new ArrayDeque<>();
    private boolean isHoldingBack;
    private String failing = "nothing";
    private long tick;

    void holdBack() {
      isHoldingBack = true;
    }

    void release() {
      isHoldingBack = false;
      while (!held.isEmpty()) {
        held.remove().run();
      }
    }

    private <T extends @Nullable Object> CompletionStage<T> answer(
        List<KeyedLimit> limits, Supplier<T> value) {
      now.addAndGet(tick);
      if (limits.get(0).key().startsWith(failing)) {
        return CompletableFuture.failedFuture(new StoreException("away"));
      }
      CompletableFuture<T> answer = new CompletableFuture<>();
      T known = value.get();
      if (isHoldingBack) {
        held.add(() -> answer.complete(known));
      } else {
        answer.complete(known);
      }
      return answer;
    }

    CompletionStage<Verdict.Decided> look(List<KeyedLimit> limits, long cost) {
      return answer(
          limits,
          () -> {
            Standings standings = memory.peek(limits);
            return new Verdict.Admitted(standings.standings(), standings.nowMicros());
          });
    }

    @Override
    public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost) {
      return answer(limits, () -> memory.decide(limits, cost));
    }

    @Override
    public CompletionStage<Standings> peekAsync(List<KeyedLimit> limits) {
      return answer(limits, () -> memory.peek(limits));
    }

    @Override
    public CompletionStage<Standings> settleAsync(
        List<KeyedLimit> limits, long permits, long chargedAtMicros) {
      return answer(limits, () -> memory.settle(limits, permits, chargedAtMicros));
    }

    @Override
    public CompletionStage<Standings> grantAsync(List<KeyedLimit> limits, long permits) {
      return answer(limits, () -> memory.grant(limits, permits));
    }

    @Override
    public CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits) {
      memory.reset(limits);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}
