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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Some limits of one policy, ready to count and to tell. Made once; each list has the order of the
 * limits.
 *
 * @param specs as they are written
 * @param wire as the wire names them
 * @param limits how they count, and under which keys
 */
record CountedLimits(List<LimitSpec> specs, List<WireLimit> wire, List<CountedLimit> limits)
    implements Account.Changing {

  /*
   * A key names the limit by whose requests it counts, its window and its algorithm, not by its
   * place in the policy: so all nodes and all versions of an application that know a limit count it
   * together, whatever other limits stand before it. An algorithm never reads the state of another.
   * Limits of one policy that are alike in all three are named by all that is written of them, or
   * each would go on with the usage of another when they are put in another order.
   */

  /** These limits of that policy, which continue no others. */
  static CountedLimits of(Policy policy, List<LimitSpec> specs) {
    List<String> keyEnds = keyEnds(policy, specs);
    return new CountedLimits(
        specs,
        WireLimit.of(policy, specs),
        IntStream.range(0, specs.size())
            .mapToObj(i -> new CountedLimit(keyEnds.get(i), RateAlgorithm.of(specs.get(i))))
            .toList());
  }

  /**
   * The same, where each goes on with the usage of the one before that it replaces, and of what
   * that one was going on with: a caller may not have come since. To be asked once of those before,
   * since each of them leads to the one that continues it.
   */
  CountedLimits continuing(CountedLimits before, long nowMicros) {
    List<OptionalInt> formerly = LimitMatching.formerOf(before.specs, specs);
    Set<String> keyEnds = limits.stream().map(CountedLimit::keyEnd).collect(Collectors.toSet());
    List<CountedLimit> continued = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      CountedLimit fresh = limits.get(i);
      continued.add(
          formerly.get(i).isPresent()
              ? before.limits.get(formerly.get(i).getAsInt()).continuedBy(fresh, keyEnds, nowMicros)
              : fresh);
    }
    return new CountedLimits(specs, wire, List.copyOf(continued));
  }

  /** When the first former key can be dropped; {@code Long.MAX_VALUE} if there is none. */
  long dropsAtMicros() {
    return limits.stream().mapToLong(CountedLimit::dropsAtMicros).min().orElse(Long.MAX_VALUE);
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
    return new CountedLimits(chosen(specs, chosen), chosen(wire, chosen), chosen(limits, chosen));
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
      keyed.add(limits.get(i).keyed(keyStart.apply(specs.get(i))));
    }
    return keyed;
  }

  /*
   * A limit that is gone leads nowhere, and its key may be that of another one by now. No key may be
   * settled twice: then all are settled as they were decided.
   */
  @Override
  public List<KeyedLimit> present(List<KeyedLimit> decided) {
    if (!hasAnyEnded()) {
      return decided;
    }
    List<KeyedLimit> present = new ArrayList<>(decided.size());
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < decided.size(); i++) {
      KeyedLimit limit = limits.get(i).present(decided.get(i));
      keys.add(limit.key());
      present.add(limit);
    }
    return keys.size() == present.size() ? present : decided;
  }

  private boolean hasAnyEnded() {
    for (CountedLimit limit : limits) {
      if (limit.hasEnded()) {
        return true;
      }
    }
    return false;
  }

  private static List<String> keyEnds(Policy policy, List<LimitSpec> specs) {
    Set<String> known = new HashSet<>();
    Set<String> ambiguous = new HashSet<>();
    for (LimitSpec spec : specs) {
      String plain = keyEnd(policy, spec);
      if (!known.add(plain)) {
        ambiguous.add(plain);
      }
    }
    return numbered(
        specs,
        spec -> {
          String plain = keyEnd(policy, spec);
          return ambiguous.contains(plain) ? plain + ":" + spec.shadowed(false) : plain;
        });
  }

  /* Of those that are written alike but for shadow, or are the same, each after the first has a number. */
  private static List<String> numbered(List<LimitSpec> specs, Function<LimitSpec, String> name) {
    Map<String, Integer> used = new HashMap<>();
    String[] names = new String[specs.size()];
    for (boolean isShadow : new boolean[] {false, true}) {
      for (int i = 0; i < names.length; i++) {
        if (specs.get(i).isShadow() == isShadow) {
          String plain = name.apply(specs.get(i));
          int number = used.merge(plain, 1, Integer::sum);
          names[i] = number == 1 ? plain : plain + ":" + number;
        }
      }
    }
    return List.of(names);
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
