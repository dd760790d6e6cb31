package dev.comporta.server.store.redis;

import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for each answer as long as a test may, and has no fallback. */
record WaitingStore(AsyncLimitStore store) implements LimitStore {

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    return await(store.decideAsync(limits, cost));
  }

  @Override
  public Optional<SharedChanges> changes(String key) {
    return store.changes(key);
  }

  @Override
  public Standings peek(List<KeyedLimit> limits) {
    return await(store.peekAsync(limits));
  }

  @Override
  public Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    return await(store.settleAsync(limits, permits, chargedAtMicros));
  }

  @Override
  public Standings grant(List<KeyedLimit> limits, long permits) {
    return await(store.grantAsync(limits, permits));
  }

  @Override
  public void reset(List<KeyedLimit> limits) {
    await(store.resetAsync(limits));
  }

  @Override
  public void close() {
    store.close();
  }

  private static <T extends @Nullable Object> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }
}
