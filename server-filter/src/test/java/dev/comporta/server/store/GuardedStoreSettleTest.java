package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GuardedStoreSettleTest {

  private static final long NOW = RemoteStore.NOW_MICROS;
  private static final KeyedLimit FIVE = new KeyedLimit("k", new TokenBucket(5, 60_000_000, 5));
  private static final List<KeyedLimit> LIMITS = List.of(FIVE);
  private static final Verdict REFUSED =
      new Verdict.Refused(List.of(FIVE.limit().standing(FIVE.limit().newState(), NOW)), NOW, 0, 17);

  private final RemoteStore remote = new RemoteStore();
  private final MemoryLimitStore local = new MemoryLimitStore(100, () -> NOW);

  @Test
  void settlesInTheSharedStoreAlone() {
    remote.answer = CompletableFuture.completedFuture(REFUSED);

    LimitStore.Standings after = guarded(OnStoreFailure.LOCAL).settle(LIMITS, 3, NOW);

    assertThat(after.standings()).isEqualTo(((Verdict.Refused) REFUSED).standings());
    assertThat(local.peek(LIMITS).standings().get(0).remaining()).isEqualTo(5);
  }

  @Test
  void settlesInItsOwnCountWhileTheStoreIsAway() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.LOCAL);
    store.decide(LIMITS, 1);

    LimitStore.Standings after = store.settle(LIMITS, 3, NOW);

    assertThat(after.standings().get(0).remaining()).isEqualTo(1);
  }

  @Test
  void saysNothingOfAStandingThatNobodyKnowsAfterASettlement() {
    remote.fail();

    assertThat(guarded(OnStoreFailure.DENY).settle(LIMITS, 3, NOW))
        .isEqualTo(new LimitStore.Standings(List.of(), NOW));
  }

  @Test
  void grantsInItsOwnCountWhileTheStoreIsAwayAndTells() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.LOCAL);
    store.decide(LIMITS, 5);

    String log = logOf(() -> store.grant(LIMITS, 2));

    assertThat(log).containsOnlyOnce("did not confirm a grant");
    assertThat(local.peek(LIMITS).standings().get(0).remaining()).isEqualTo(2);
  }

  @Test
  void grantsInTheSharedStoreAlone() {
    remote.answer = CompletableFuture.completedFuture(REFUSED);
    local.decide(LIMITS, 5);

    LimitStore.Standings after = guarded(OnStoreFailure.LOCAL).grant(LIMITS, 2);

    assertThat(after.standings()).isEqualTo(((Verdict.Refused) REFUSED).standings());
    assertThat(local.peek(LIMITS).standings().get(0).remaining()).isZero();
  }

  @Test
  void saysNothingOfAStandingThatNobodyKnowsAfterAGrant() {
    remote.fail();

    assertThat(guarded(OnStoreFailure.ALLOW).grant(LIMITS, 1).standings()).isEmpty();
  }

  @Test
  void resetsItsOwnCountAsWell() {
    remote.answer = CompletableFuture.completedFuture(REFUSED);
    local.decide(LIMITS, 5);

    String log = logOf(() -> guarded(OnStoreFailure.LOCAL).reset(LIMITS));

    assertThat(remote.questions).isEqualTo(1);
    assertThat(local.peek(LIMITS).standings().get(0).remaining()).isEqualTo(5);
    assertThat(log).isEmpty();
  }

  @Test
  void tellsOnceAMinuteThatAResetWasNotConfirmed() {
    remote.fail();
    GuardedStore store = guarded(OnStoreFailure.LOCAL);

    String log =
        logOf(
            () -> {
              store.reset(LIMITS);
              store.reset(LIMITS);
            });

    assertThat(log).containsOnlyOnce("did not confirm a reset").contains("last failure: away");
  }

  private GuardedStore guarded(OnStoreFailure onFailure) {
    return new GuardedStore(
        remote,
        local,
        new GuardOptions(Duration.ofMillis(50), onFailure, 100, Duration.ofMinutes(10)));
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
}
