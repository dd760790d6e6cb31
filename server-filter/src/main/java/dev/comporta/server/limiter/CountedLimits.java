package dev.comporta.server.limiter;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.http.WireLimit;
import dev.comporta.server.policy.LimitMatching;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.store.KeyedLimit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Some limits of one policy, ready to count and to tell. Made once; each list has the order of the
 * limits.
 *
 * @param specs as they are written
 * @param algorithms how they count
 * @param wire as the wire names them
 * @param keyEnds what the key of each ends with
 * @param formerKeyEnds what the key ended with under which the usage was counted that the limit
 *     continues, if that was another
 */
record CountedLimits(
    List<LimitSpec> specs,
    List<RateAlgorithm> algorithms,
    List<WireLimit> wire,
    List<String> keyEnds,
    List<Optional<String>> formerKeyEnds) {

  /*
   * A key names the limit by whose requests it counts, its window and its algorithm, not by its
   * place in the policy: so all nodes and all versions of an application that know a limit count it
   * together, whatever other limits stand before it. An algorithm never reads the state of another.
   */

  /** These limits of that policy, which continue no others. */
  static CountedLimits of(Policy policy, List<LimitSpec> specs) {
    return new CountedLimits(
        specs,
        specs.stream().map(RateAlgorithm::of).toList(),
        WireLimit.of(policy, specs),
        keyEnds(policy, specs),
        Collections.nCopies(specs.size(), Optional.empty()));
  }

  /**
   * The same, where each goes on with the usage of the one before that it replaces. One that kept
   * its key goes on with what that one was going on with: a caller may not have come since.
   */
  CountedLimits continuing(CountedLimits before) {
    List<OptionalInt> formerly = LimitMatching.formerOf(before.specs, specs);
    List<Optional<String>> ends = new ArrayList<>(specs.size());
    for (int i = 0; i < specs.size(); i++) {
      String own = keyEnds.get(i);
      Optional<String> former =
          formerly.get(i).isPresent()
              ? before.keyEndOtherThan(own, formerly.get(i).getAsInt())
              : Optional.empty();
      ends.add(former);
    }
    return new CountedLimits(specs, algorithms, wire, keyEnds, List.copyOf(ends));
  }

  private Optional<String> keyEndOtherThan(String own, int index) {
    return Optional.of(keyEnds.get(index))
        .filter(end -> !end.equals(own))
        .or(() -> formerKeyEnds.get(index).filter(end -> !end.equals(own)));
  }

  boolean isEmpty() {
    return specs.isEmpty();
  }

  boolean allMatch(Predicate<LimitSpec> test) {
    for (LimitSpec spec : specs) {
      if (!test.test(spec)) {
        return false;
      }
    }
    return true;
  }

  /** Those of them that pass the test, under the names and keys that they have here. */
  CountedLimits only(Predicate<LimitSpec> test) {
    return chosen(IntStream.range(0, specs.size()).filter(i -> test.test(specs.get(i))).toArray());
  }

  /** The one at that place alone, though others may be written alike. */
  CountedLimits onlyAt(int index) {
    return chosen(new int[] {index});
  }

  private CountedLimits chosen(int[] chosen) {
    return new CountedLimits(
        chosen(specs, chosen),
        chosen(algorithms, chosen),
        chosen(wire, chosen),
        chosen(keyEnds, chosen),
        chosen(formerKeyEnds, chosen));
  }

  private static <T> List<T> chosen(List<T> all, int[] indices) {
    return IntStream.of(indices).mapToObj(all::get).toList();
  }

  /**
   * Each limit under its key, in order.
   *
   * @param keyStart what a key begins with for whom the limit counts
   */
  List<KeyedLimit> keyed(Function<LimitSpec, String> keyStart) {
    List<KeyedLimit> keyed = new ArrayList<>(specs.size());
    for (int i = 0; i < specs.size(); i++) {
      String start = keyStart.apply(specs.get(i));
      keyed.add(
          new KeyedLimit(
              start + keyEnds.get(i),
              algorithms.get(i),
              formerKeyEnds.get(i).map(end -> start + end).stream().toList()));
    }
    return keyed;
  }

  /** Of two limits that count the same in the same window, the second has a number. */
  private static List<String> keyEnds(Policy policy, List<LimitSpec> specs) {
    Map<String, Integer> used = new HashMap<>();
    List<String> keyEnds = new ArrayList<>(specs.size());
    for (LimitSpec spec : specs) {
      String plain = keyEnd(policy, spec);
      int number = used.merge(plain, 1, Integer::sum);
      keyEnds.add(number == 1 ? plain : plain + ":" + number);
    }
    return List.copyOf(keyEnds);
  }

  private static String keyEnd(Policy policy, LimitSpec spec) {
    return ":"
        + policy.name()
        + ":"
        + whose(spec)
        + spec.windowText()
        + ":"
        + shortName(spec.algorithm());
  }

  private static String whose(LimitSpec spec) {
    Optional<Class<? extends CallerIdentifier>> keyedBy = spec.keyedBy();
    if (keyedBy.isPresent()) {
      return keyedBy.get().getName() + "-";
    }
    return switch (spec.by()) {
      case CALLER -> "";
      case ADDRESS -> "address-";
      case EVERYONE -> "everyone-";
    };
  }

  private static String shortName(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> "tb";
      case SLIDING_WINDOW_COUNTER -> "sw";
      case SLIDING_WINDOW_LOG -> "sl";
      case FIXED_WINDOW -> "fw";
    };
  }
}
