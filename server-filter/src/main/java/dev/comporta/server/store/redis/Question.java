package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A decision that somebody waits for, until its answer is there or nobody waits any more.
 *
 * @param limits that are decided as one
 * @param cost of the request
 * @param keys of these limits
 * @param answer of Redis
 * @param lending how far this node decides for itself by what it is told
 */
record Question(
    List<KeyedLimit> limits,
    long cost,
    ScriptKeys keys,
    CompletableFuture<Verdict> answer,
    Lending lending) {

  /**
   * How far a node may decide for itself by what it is told here.
   *
   * @param refusalNanos for how long at most it repeats a refusal
   * @param lease what asks for the same again, for decisions to come
   * @param held the answer by permits that this node has taken ahead meanwhile
   */
  record Lending(
      long refusalNanos, Optional<Leases.Order> lease, Supplier<Optional<Verdict>> held) {

    /** Where no node of this policy takes leases. */
    static final Lending NONE = new Lending(Long.MAX_VALUE, Optional.empty(), Optional::empty);
  }

  /**
   * A decision on these limits.
   *
   * @throws StoreException if two limits have the same key
   */
  Question(List<KeyedLimit> limits, long cost) {
    this(limits, cost, Lending.NONE);
  }

  /**
   * A decision on these limits, which may be the first of several.
   *
   * @throws StoreException if two limits have the same key
   */
  Question(List<KeyedLimit> limits, long cost, Lending lending) {
    this(limits, cost, ScriptKeys.of(limits), new CompletableFuture<>(), lending);
  }

  /** How often it is asked: once for the one who waits, and then for the lease. */
  int times() {
    return 1 + lending.lease().map(Leases.Order::times).orElse(0);
  }

  /** Whether it has an answer, or needs none any more. */
  boolean isOver() {
    return answer.isDone();
  }

  /**
   * This is the answer, and that was debited for decisions to come. Nobody is refused what this
   * node holds for him.
   */
  void tell(Verdict verdict, Lease.Debit debit) {
    lending.lease().ifPresent(order -> order.arrived(debit));
    boolean isWanted = verdict instanceof Verdict.Refused && !answer.isDone();
    answer.complete(isWanted ? lending.held().get().orElse(verdict) : verdict);
  }

  /** There is no answer. */
  void fail(StoreException failure) {
    lending.lease().ifPresent(Leases.Order::failed);
    answer.completeExceptionally(failure);
  }
}
