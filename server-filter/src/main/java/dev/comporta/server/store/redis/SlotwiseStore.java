package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.TripCounts;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store over a Redis cluster whose requests may have limits in several slots, such as one by
 * caller beside one for everyone. Thread-safe.
 *
 * <p>Limits of one slot are decided by one call, as on a single server. Else slot after slot is
 * asked, one call each, limits for everyone last; the first that refuses ends it, and what the
 * slots before it have taken is given back. Until it is, which is a round trip later, others see
 * less of those limits than there is, and may be refused by them. Each slot is charged whole or not
 * at all, and a request that is refused has consumed nothing in the end. Limits for everyone share
 * one slot, the last, so no refusal ever touches them.
 *
 * <p>Whoever stops waiting between two slots is charged by none: what was taken is given back. If a
 * slot does not answer, it is not known whether that one was charged; those before it are given
 * back. A refund that fails is lost, and what was taken counts until its window is over.
 */
final class SlotwiseStore implements AsyncLimitStore {

  private final AsyncLimitStore slots;
  private final Look look;
  private final SlotInstants instants = new SlotInstants();

  /** Tells what a slot would decide. */
  interface Look {

    /** The verdict as it would be, an admission too; charges nothing. */
    CompletionStage<Verdict.Decided> verdict(List<KeyedLimit> limits, long cost);
  }

  /**
   * Asks that store for each slot.
   *
   * @param look what that store would decide
   */
  SlotwiseStore(AsyncLimitStore slots, Look look) {
    this.slots = slots;
    this.look = look;
  }

  /** Only of limits in one slot: of several, nobody knows where the others stand. */
  @Override
  public Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost) {
    return SlotParts.of(limits).parts().size() <= 1
        ? slots.decideAtOnce(limits, cost)
        : Optional.empty();
  }

  /** A lease, too, is of limits in one slot. */
  @Override
  public Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost, int lease) {
    return SlotParts.of(limits).parts().size() <= 1
        ? slots.decideAtOnce(limits, cost, lease)
        : Optional.empty();
  }

  @Override
  public void mayGiveBack(List<KeyedLimit> limits) {
    slots.mayGiveBack(limits);
  }

  @Override
  public TripCounts tripCounts() {
    return slots.tripCounts();
  }

  @Override
  public Optional<SharedChanges> changes(String key) {
    return slots.changes(key);
  }

  @Override
  public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost) {
    SlotParts parts = SlotParts.of(limits);
    return parts.parts().size() <= 1
        ? slots.decideAsync(limits, cost)
        : new SlotwiseDecision(slots, look, instants, parts, cost).start();
  }

  @Override
  public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost, int lease) {
    return SlotParts.of(limits).parts().size() <= 1
        ? slots.decideAsync(limits, cost, lease)
        : decideAsync(limits, cost);
  }

  @Override
  public CompletionStage<Standings> peekAsync(List<KeyedLimit> limits) {
    SlotParts parts = SlotParts.of(limits);
    return all(parts, i -> slots.peekAsync(parts.parts().get(i).limits()));
  }

  @Override
  public CompletionStage<Standings> settleAsync(
      List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    SlotParts parts = SlotParts.of(limits);
    if (parts.parts().size() <= 1) {
      return slots.settleAsync(limits, permits, chargedAtMicros);
    }
    List<Long> charged = instants.of(parts.slots(), chargedAtMicros);
    CompletionStage<List<Standings>> settled =
        each(parts, i -> slots.settleAsync(parts.parts().get(i).limits(), permits, charged.get(i)));
    return settled.thenApply(
        // A surcharge is given back by the instant that is told of it.
        standings ->
            permits > 0
                ? merged(parts, standings, instants.note(parts.slots(), times(standings)))
                : merged(parts, standings));
  }

  @Override
  public CompletionStage<Standings> grantAsync(List<KeyedLimit> limits, long permits) {
    SlotParts parts = SlotParts.of(limits);
    return all(parts, i -> slots.grantAsync(parts.parts().get(i).limits(), permits));
  }

  @Override
  public CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits) {
    SlotParts parts = SlotParts.of(limits);
    CompletableFuture<?>[] resets =
        parts.parts().stream()
            .map(part -> slots.resetAsync(part.limits()).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(resets);
  }

  @Override
  public void close() {
    slots.close();
  }

  private static CompletionStage<Standings> all(
      SlotParts parts, IntFunction<CompletionStage<Standings>> question) {
    return parts.parts().size() == 1
        ? question.apply(0)
        : each(parts, question).thenApply(standings -> merged(parts, standings));
  }

  /** All slots at once: none of them refuses. */
  private static CompletionStage<List<Standings>> each(
      SlotParts parts, IntFunction<CompletionStage<Standings>> question) {
    List<CompletableFuture<Standings>> answers = new ArrayList<>();
    for (int i = 0; i < parts.parts().size(); i++) {
      answers.add(question.apply(i).toCompletableFuture());
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  private static Standings merged(SlotParts parts, List<Standings> standings) {
    long latest = times(standings).stream().mapToLong(Long::longValue).max().orElse(0);
    return merged(parts, standings, latest);
  }

  private static Standings merged(SlotParts parts, List<Standings> standings, long nowMicros) {
    List<List<Standing>> ofParts = standings.stream().map(Standings::standings).toList();
    return new Standings(parts.inOrder(ofParts), nowMicros);
  }

  private static List<Long> times(List<Standings> standings) {
    return standings.stream().map(Standings::nowMicros).toList();
  }
}
