package dev.comporta.server.filter;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.http.WireLimit;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.store.KeyedLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The limits that one tier of a policy has, ready to count and to tell. Made once; each list has
 * the order of the policy.
 */
record CountedLimits(
    List<LimitSpec> specs,
    List<RateAlgorithm> algorithms,
    List<WireLimit> wire,
    List<String> keyEnds) {

  static CountedLimits of(Policy policy, List<LimitSpec> specs) {
    List<String> keyEnds = new ArrayList<>(specs.size());
    for (int i = 0; i < specs.size(); i++) {
      keyEnds.add(":" + policy.name() + ":" + i + ":" + shortName(specs.get(i).algorithm()));
    }
    return new CountedLimits(
        specs,
        specs.stream().map(RateAlgorithm::of).toList(),
        WireLimit.of(policy, specs),
        List.copyOf(keyEnds));
  }

  /**
   * Each limit under its key, in order.
   *
   * @param keyStart what a key begins with for whom the limit counts
   */
  List<KeyedLimit> keyed(Function<By, String> keyStart) {
    List<KeyedLimit> keyed = new ArrayList<>(specs.size());
    for (int i = 0; i < specs.size(); i++) {
      String key = keyStart.apply(specs.get(i).by()) + keyEnds.get(i);
      keyed.add(new KeyedLimit(key, algorithms.get(i)));
    }
    return keyed;
  }

  /* Part of a key, so that an algorithm never reads the state of another one. */
  private static String shortName(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> "tb";
      case SLIDING_WINDOW_COUNTER -> "sw";
      case SLIDING_WINDOW_LOG -> "sl";
      case FIXED_WINDOW -> "fw";
    };
  }
}
