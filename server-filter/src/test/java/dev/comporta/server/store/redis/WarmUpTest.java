package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  private final AskedStore store = new AskedStore();

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Test
  void asksEachScriptThreeTimesUnderOneHashTag() {
    WarmUp.of(store, Duration.ofSeconds(10));

    Set<String> tags = new HashSet<>();
    store.keys.forEach(key -> tags.add(key.replaceAll(":(tb|sw|sl|fw)$", "")));
    assertThat(store.questions).isEqualTo(18);
    assertThat(tags).singleElement().asString().matches("comporta:warm-up:\\{[0-9a-f-]{36}\\}");
  }

  @Test
  void stopsAtTheFirstFailure() {
    store.answer = CompletableFuture.failedFuture(new StoreException("away"));

    WarmUp.of(store, Duration.ofSeconds(10));

    assertThat(store.questions).isEqualTo(1);
  }

  @Test
  void asksNoMoreWhenTheTimeIsOver() {
    store.answer = new CompletableFuture<>();
    WarmUp.of(store, Duration.ofMillis(1));

    store.answer.complete(new Verdict.Unchecked());

    assertThat(store.questions).isEqualTo(1);
  }

  @Test
  void keepsTheInterrupt() {
    store.answer = new CompletableFuture<>();
    Thread.currentThread().interrupt();

    WarmUp.of(store, Duration.ofSeconds(10));

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  /** Gives one answer to every question, and remembers the keys. */
  private static final class AskedStore implements AsyncLimitStore {

    private final List<String> keys = new ArrayList<>();
    private CompletableFuture<Verdict> answer =
        CompletableFuture.completedFuture(new Verdict.Unchecked());
    private int questions;

    @Override
    public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost) {
      remember(limits);
      return answer;
    }

    @Override
    public CompletionStage<Standings> peekAsync(List<KeyedLimit> limits) {
      remember(limits);
      return answer.thenApply(verdict -> new Standings(List.of(), 0));
    }

    @Override
    public CompletionStage<Standings> settleAsync(
        List<KeyedLimit> limits, long permits, long chargedAtMicros) {
      return peekAsync(limits);
    }

    @Override
    public CompletionStage<Standings> grantAsync(List<KeyedLimit> limits, long permits) {
      return peekAsync(limits);
    }

    @Override
    public CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits) {
      remember(limits);
      return answer.thenApply(verdict -> null);
    }

    @Override
    public void close() {}

    private void remember(List<KeyedLimit> limits) {
      questions++;
      limits.forEach(limit -> keys.add(limit.key()));
    }
  }
}
