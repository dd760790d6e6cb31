package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A decision that somebody waits for, until its answer is there or nobody waits any more.
 *
 * @param limits that are decided as one
 * @param cost of the request
 * @param keys of these limits
 * @param answer of Redis
 */
record Question(
    List<KeyedLimit> limits, long cost, ScriptKeys keys, CompletableFuture<Verdict> answer) {

  /**
   * A decision on these limits.
   *
   * @throws StoreException if two limits have the same key
   */
  Question(List<KeyedLimit> limits, long cost) {
    this(limits, cost, ScriptKeys.of(limits), new CompletableFuture<>());
  }

  /** Whether it has an answer, or needs none any more. */
  boolean isOver() {
    return answer.isDone();
  }

  /** There is no answer. */
  void fail(StoreException failure) {
    answer.completeExceptionally(failure);
  }
}
