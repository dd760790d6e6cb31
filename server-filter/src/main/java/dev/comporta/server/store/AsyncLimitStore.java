package dev.comporta.server.store;

import dev.comporta.server.store.LimitStore.Standings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store that is a network away. It means what {@link LimitStore} means, but answers later: every
 * method returns at once, whatever state the network is in, and never throws. Thread-safe.
 *
 * <p>An application does not ask it directly but through {@link GuardedStore}.
 */
public interface AsyncLimitStore extends AutoCloseable {

  /**
   * Decides, and charges if all limits pass; fails with {@link StoreException}.
   *
   * <p>Cancelling the stage's future keeps the request from being sent if it was not sent yet; one
   * that was sent may still be charged.
   */
  CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost);

  /**
   * Decides, and may take a lease, as {@link LimitStore#decide(List, long, int)} does.
   *
   * @param lease how many permits it may take at most, its cost included
   */
  default CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost, int lease) {
    return decideAsync(limits, cost);
  }

  /**
   * The verdict that follows from what this node was told before, if one does: then nobody has to
   * be asked, whatever state the network is in. Charges nothing in the store.
   */
  default Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost) {
    return Optional.empty();
  }

  /**
   * The same, also by a lease that this node has taken. Such a verdict needs no answer of the store
   * while the store is away.
   *
   * @param lease how many permits a decision may take at most, its cost included
   */
  default Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost, int lease) {
    return decideAtOnce(limits, cost);
  }

  /** How often it was asked to decide, over the network and not. */
  default TripCounts tripCounts() {
    return TripCounts.NONE;
  }

  /** As {@link LimitStore#changes}. */
  default Optional<SharedChanges> changes(String key) {
    return Optional.empty();
  }

  /** Is told what {@link LimitStore#mayGiveBack} is told. */
  default void mayGiveBack(List<KeyedLimit> limits) {}

  /** Where the caller stands, in the order given; fails with {@link StoreException}. */
  CompletionStage<Standings> peekAsync(List<KeyedLimit> limits);

  /**
   * Corrects what was charged, as {@link LimitStore#settle} does; fails with {@link
   * StoreException}.
   */
  CompletionStage<Standings> settleAsync(
      List<KeyedLimit> limits, long permits, long chargedAtMicros);

  /** Gives usage back, as {@link LimitStore#grant} does; fails with {@link StoreException}. */
  CompletionStage<Standings> grantAsync(List<KeyedLimit> limits, long permits);

  /** Forgets the usage under these keys; fails with {@link StoreException}. */
  CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits);

  /** Frees what the store holds, its threads too. Closing twice is harmless. */
  @Override
  void close();
}
