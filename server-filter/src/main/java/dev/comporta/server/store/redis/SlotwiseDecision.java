package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdict.Admitted;
import dev.comporta.server.store.Verdict.Decided;
import dev.comporta.server.store.Verdict.Impossible;
import dev.comporta.server.store.Verdict.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One decision on limits of several slots, slot after slot. Each slot is asked once. */
final class SlotwiseDecision {

  /*
   * How this works, and why
   *
   * There is no transaction across slots. Two ways keep a refused request from consuming: to look at
   * all slots before the first is charged, or to charge and give back. A look is a round trip more
   * for every request, and others may come between; so each slot is charged as soon as it is asked.
   *
   * One after the other and not all at once, since nearly every refusal is that of a caller's own
   * limit. That is asked first, so a caller who knocks in vain never touches what it shares with
   * others. All nodes ask in the same order: of two requests that each could pass alone, the one
   * that comes first to their first slot is not refused by what the other takes.
   *
   * Slots that were not asked when another refuses are looked at while the rest is given back: the
   * answer tells where the caller stands on every limit, and the longest of their waits.
   */

  private static final Logger LOG = LoggerFactory.getLogger(SlotwiseStore.class);

  private final AsyncLimitStore slots;
  private final SlotwiseStore.Look look;
  private final SlotInstants instants;
  private final SlotParts parts;
  private final long cost;
  private final List<Admitted> taken = new ArrayList<>(); // by one thread after the other
  private final CompletableFuture<Verdict> answer = new CompletableFuture<>();

  SlotwiseDecision(
      AsyncLimitStore slots,
      SlotwiseStore.Look look,
      SlotInstants instants,
      SlotParts parts,
      long cost) {
    this.slots = slots;
    this.look = look;
    this.instants = instants;
    this.parts = parts;
    this.cost = cost;
  }

  CompletionStage<Verdict> start() {
    if (impossible().isEmpty()) {
      ask();
    } else {
      refuse(parts.parts().stream().map(this::seen).toList());
    }
    return answer;
  }

  /** The first place of a limit that can never admit the cost. */
  private OptionalInt impossible() {
    return parts.parts().stream()
        .flatMapToInt(
            part ->
                IntStream.range(0, part.limits().size())
                    .filter(i -> part.limits().get(i).limit().limit() < cost)
                    .map(part.places()::get))
        .min();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The answer tells all.
  private void ask() {
    int next = taken.size();
    if (next == parts.parts().size()) {
      admit();
      return;
    }
    if (next < parts.parts().size() - 1) {
      // Should a later slot refuse, this one gets back what it took, before its time.
      slots.mayGiveBack(parts.parts().get(next).limits());
    }
    slots
        .decideAsync(parts.parts().get(next).limits(), cost)
        .whenComplete(
            (verdict, failure) -> {
              if (failure != null) {
                giveBack();
                answer.completeExceptionally(failure);
              } else if (verdict instanceof Admitted admitted) {
                taken.add(admitted);
                goOn();
              } else if (verdict instanceof Decided refused) {
                refuse(next, refused);
              } else {
                giveBack();
                answer.complete(verdict);
              }
            });
  }

  private void goOn() {
    if (answer.isDone()) {
      // Nobody waits any more; whoever asked has decided otherwise.
      giveBack();
    } else {
      ask();
    }
  }

  private void admit() {
    long atMicros = instants.note(parts.slots(), taken.stream().map(Admitted::nowMicros).toList());
    if (!answer.complete(new Admitted(standings(taken), atMicros))) {
      giveBack();
    }
  }

  private void refuse(int index, Decided refused) {
    List<CompletableFuture<Decided>> decided = new ArrayList<>(giveBack());
    decided.add(CompletableFuture.completedFuture(refused));
    parts.parts().stream().skip(index + 1L).map(this::seen).forEach(decided::add);
    refuse(decided);
  }

  /** Answers when all slots have; none of these fails. */
  @SuppressWarnings("FutureReturnValueIgnored") // The answer tells all.
  private void refuse(List<CompletableFuture<Decided>> decided) {
    CompletableFuture.allOf(decided.toArray(CompletableFuture<?>[]::new))
        .thenAccept(
            all ->
                answer.complete(together(decided.stream().map(CompletableFuture::join).toList())));
  }

  /** What that slot would decide; nothing remains in one that does not tell. */
  private CompletableFuture<Decided> seen(SlotParts.Part part) {
    return look.verdict(part.limits(), cost)
        .exceptionally(
            unknown ->
                new Admitted(
                    part.limits().stream().map(SlotwiseDecision::nothingRemains).toList(), 0))
        .toCompletableFuture();
  }

  private static Standing nothingRemains(KeyedLimit limit) {
    return new Standing(limit.limit().limit(), 0, 0, 0);
  }

  /** Gives back what was taken; each ends with where the caller stands after it. */
  private List<CompletableFuture<Decided>> giveBack() {
    List<CompletableFuture<Decided>> given = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      Admitted charged = taken.get(i);
      given.add(
          slots
              .settleAsync(parts.parts().get(i).limits(), -cost, charged.nowMicros())
              .handle((standings, failure) -> afterwards(charged, standings, failure))
              .toCompletableFuture());
    }
    return given;
  }

  private static Decided afterwards(
      Admitted charged, @Nullable Standings standings, @Nullable Throwable failure) {
    if (standings == null || failure != null) {
      LOG.debug("A slot did not confirm what was given back to it", failure);
      return charged;
    }
    return new Admitted(standings.standings(), standings.nowMicros());
  }

  /** The verdict of all slots, at least one of which does not admit. */
  private Verdict together(List<Decided> decided) {
    List<Standing> standings = standings(decided);
    long nowMicros = decided.stream().mapToLong(Decided::nowMicros).max().orElseThrow();
    OptionalInt impossible = impossible();
    if (impossible.isPresent()) {
      return new Impossible(standings, nowMicros, impossible.getAsInt());
    }
    int binding = 0;
    long longest = 0;
    for (int i = 0; i < decided.size(); i++) {
      if (decided.get(i) instanceof Refused refused && refused.retryAfterMicros() > longest) {
        binding = parts.parts().get(i).places().get(refused.binding());
        longest = refused.retryAfterMicros();
      }
    }
    return new Refused(standings, nowMicros, binding, longest);
  }

  private List<Standing> standings(List<? extends Decided> decided) {
    return parts.inOrder(decided.stream().map(Decided::standings).toList());
  }
}
