package dev.comporta.server.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers what the test says. */
final class RemoteStore implements AsyncLimitStore {

  static final long NOW_MICROS = 1_800_000_000_000_000L;

  CompletableFuture<Verdict> answer = new CompletableFuture<>();
  Optional<Verdict> known = Optional.empty();
  Optional<Verdict> leased = Optional.empty();
  Optional<Runnable> thrown = Optional.empty();
  boolean isClosed;
  int questions;

  void fail() {
    answer = CompletableFuture.failedFuture(new StoreException("away"));
  }

  @Override
  public Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost) {
    return known;
  }

  @Override
  public Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost, int lease) {
    return lease > 1 && leased.isPresent() ? leased : decideAtOnce(limits, cost);
  }

  @Override
  public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost) {
    questions++;
    thrown.ifPresent(Runnable::run);
    return answer;
  }

  @Override
  public CompletionStage<LimitStore.Standings> peekAsync(List<KeyedLimit> limits) {
    questions++;
    return answer.thenApply(
        verdict -> new LimitStore.Standings(((Verdict.Decided) verdict).standings(), NOW_MICROS));
  }

  @Override
  public CompletionStage<LimitStore.Standings> settleAsync(
      List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    return peekAsync(limits);
  }

  @Override
  public CompletionStage<LimitStore.Standings> grantAsync(List<KeyedLimit> limits, long permits) {
    return peekAsync(limits);
  }

  @Override
  public CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits) {
    questions++;
    return answer.thenApply(verdict -> null);
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
