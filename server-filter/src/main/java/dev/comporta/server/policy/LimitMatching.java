package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/*
 * How this works, and why. When the limits of a policy change, what a caller has used goes on: a
 * limit that is raised for a burst of traffic must not start from nothing. Only a limit of the same
 * algorithm and for the same callers can read the state of another. Among those an equal one goes
 * first, then one of the same window, of which one with as many permits; the rest are paired from
 * the shortest window up, and within a window from the fewest permits up. So the order in which they
 * are written says nothing. Each old limit is continued once, so that no usage counts twice.
 *
 *   old 10/1s 100/1m    new 200/1m 10/1s     200/1m continues 100/1m, 10/1s itself
 *   old 10/1s 100/1m    new 20/2s            20/2s continues 10/1s, nothing continues 100/1m
 *   old 10/1s           new 10/1s 100/1m     100/1m starts anew
 *   old 50/1m 100/1m    new 40/1m 50/1m      50/1m continues itself, 40/1m continues 100/1m
 */
/** Pairs the limits that a policy has now with those that it had before. */
public final class LimitMatching {

  /** Limits that are equal here and differ in text by nothing are as good as one another. */
  private static final Comparator<LimitSpec> ORDER =
      Comparator.comparing(LimitSpec::window)
          .thenComparing(LimitSpec::permits)
          .thenComparing(LimitSpec::burst)
          .thenComparing(LimitSpec::toString);

  private final List<LimitSpec> old;
  private final List<LimitSpec> fresh;
  private final int[] formerByFresh;
  private final boolean[] isTaken;

  private LimitMatching(List<LimitSpec> old, List<LimitSpec> fresh) {
    this.old = old;
    this.fresh = fresh;
    this.formerByFresh = IntStream.generate(() -> old.size()).limit(fresh.size()).toArray();
    this.isTaken = new boolean[old.size()];
  }

  /**
   * For each new limit the position of the old one whose usage it continues; nothing if it starts
   * anew.
   */
  public static List<OptionalInt> formerOf(List<LimitSpec> old, List<LimitSpec> fresh) {
    LimitMatching matching = new LimitMatching(old, fresh);
    matching.pair(LimitSpec::equals);
    matching.pair((one, other) -> one.shadowed(other.isShadow()).equals(other));
    matching.pair((one, other) -> isSameWindow(one, other) && one.permits() == other.permits());
    matching.pair(LimitMatching::isSameWindow);
    matching.pair((one, other) -> true);
    return matching.result();
  }

  private static boolean isSameWindow(LimitSpec one, LimitSpec other) {
    return one.windowText().equals(other.windowText());
  }

  private void pair(BiPredicate<LimitSpec, LimitSpec> isAlike) {
    for (int at : byWindow(fresh)) {
      if (formerByFresh[at] == old.size()) {
        pair(at, isAlike);
      }
    }
  }

  private void pair(int at, BiPredicate<LimitSpec, LimitSpec> isAlike) {
    LimitSpec now = fresh.get(at);
    for (int before : byWindow(old)) {
      LimitSpec former = old.get(before);
      if (!isTaken[before] && kind(former).equals(kind(now)) && isAlike.test(former, now)) {
        isTaken[before] = true;
        formerByFresh[at] = before;
        return;
      }
    }
  }

  private List<OptionalInt> result() {
    List<OptionalInt> result = new ArrayList<>(fresh.size());
    for (int former : formerByFresh) {
      result.add(former == old.size() ? OptionalInt.empty() : OptionalInt.of(former));
    }
    return List.copyOf(result);
  }

  /** What two limits must have in common for one to read the state of the other. */
  private record Kind(Algorithm algorithm, CountedFor whom) {}

  private static Kind kind(LimitSpec limit) {
    return new Kind(limit.algorithm(), CountedFor.of(limit));
  }

  /** Positions, the shortest window first, of one window the fewest permits. */
  private static List<Integer> byWindow(List<LimitSpec> limits) {
    return IntStream.range(0, limits.size())
        .boxed()
        .sorted(Comparator.comparing(limits::get, ORDER))
        .toList();
  }
}
