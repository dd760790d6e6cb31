package dev.comporta.server.store.redis;

import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.Verdict;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A store whose every decision may take a lease; waits for answers as long as they take. */
final class LeasingStore implements LimitStore {

  private final AsyncLimitStore store;
  private final LimitStore waiting;
  private final int lease;
  private final Runnable beforePeek;

  LeasingStore(AsyncLimitStore store, int lease) {
    this(store, lease, () -> {});
  }

  LeasingStore(AsyncLimitStore store, int lease, Runnable beforePeek) {
    this.store = store;
    this.beforePeek = beforePeek;
    this.waiting = new WaitingStore(store);
    this.lease = lease;
  }

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    return store
        .decideAtOnce(limits, cost, lease)
        .orElseGet(
            () ->
                store
                    .decideAsync(limits, cost, lease)
                    .toCompletableFuture()
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join());
  }

  @Override
  public Standings peek(List<KeyedLimit> limits) {
    beforePeek.run();
    return waiting.peek(limits);
  }

  @Override
  public Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    return waiting.settle(limits, permits, chargedAtMicros);
  }

  @Override
  public Standings grant(List<KeyedLimit> limits, long permits) {
    return waiting.grant(limits, permits);
  }

  @Override
  public void reset(List<KeyedLimit> limits) {
    waiting.reset(limits);
  }

  @Override
  public void close() {
    store.close();
  }
}
