package dev.comporta.server.policy;

import dev.comporta.server.api.By;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A named set of limits, all of which a request must pass; some tiers may have limits of their own.
 *
 * @param name unique within the application
 * @param limits what applies to callers without a tier of this policy; not empty
 * @param tiers the limits of each tier, in place of {@code limits}; none is empty
 * @param isShared whether the application gave the name, so that callers may be told of it; a
 *     policy named after its method is not
 * @param mode what it does about a request that exceeds it
 * @param lease how many permits one decision may take from a shared store at most, for later
 *     decisions of the same caller on the same node; 1 to {@value #MOST_LEASE}, 1 is no more than
 *     it costs
 */
public record Policy(
    String name,
    List<LimitSpec> limits,
    Map<String, List<LimitSpec>> tiers,
    boolean isShared,
    Mode mode,
    int lease) {

  /** Each decision takes what it costs. */
  public static final int NO_LEASE = 1;

  /** A trip for a thousand decisions saves no more than one for ten thousand. */
  public static final int MOST_LEASE = 1_000;

  /** A policy that limits. */
  public Policy(
      String name, List<LimitSpec> limits, Map<String, List<LimitSpec>> tiers, boolean isShared) {
    this(name, limits, tiers, isShared, Mode.ENFORCE);
  }

  /** A policy of which each decision takes what it costs. */
  public Policy(
      String name,
      List<LimitSpec> limits,
      Map<String, List<LimitSpec>> tiers,
      boolean isShared,
      Mode mode) {
    this(name, limits, tiers, isShared, mode, NO_LEASE);
  }

  /** Copies what it is given and checks that there is at least one limit everywhere. */
  public Policy {
    limits = List.copyOf(limits);
    tiers = Map.copyOf(tiers);
    if (limits.isEmpty() || tiers.values().stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("policy " + name + " must have at least one limit");
    }
    if (lease < NO_LEASE || lease > MOST_LEASE) {
      throw new IllegalArgumentException(
          "lease must be " + NO_LEASE + " to " + MOST_LEASE + ", was " + lease);
    }
  }

  /** The limits of that tier, or the common ones where the policy does not know the tier. */
  public List<LimitSpec> limitsOf(Optional<String> tier) {
    return tier.map(tiers::get).orElse(limits);
  }

  /**
   * Whether it can be decided before the caller is authenticated: no limit, of any tier, goes by
   * caller, and there are no tiers.
   */
  public boolean isDecidedBeforeAuthentication() {
    if (!tiers.isEmpty()) {
      return false;
    }
    for (LimitSpec limit : limits) {
      if (limit.by() == By.CALLER) {
        return false;
      }
    }
    return true;
  }

  /** The most that a request may cost: what the smallest limit of any tier admits. */
  public long maxCost() {
    List<LimitSpec> all = new ArrayList<>(limits);
    tiers.values().forEach(all::addAll);
    return all.stream().mapToLong(LimitSpec::maxCost).min().orElseThrow();
  }

  /**
   * The names of these limits on the wire, in their order: policy and window, {@code search-1m},
   * with whose quota it is and a number where that alone would be ambiguous.
   */
  public List<String> wireNames(List<LimitSpec> some) {
    Set<String> taken = new HashSet<>();
    List<String> names = new ArrayList<>();
    for (LimitSpec limit : some) {
      String plain = name + "-" + limit.windowText();
      String byWhom = plain + "-" + limit.by().name().toLowerCase(Locale.ROOT);
      String chosen = limit.by() == By.CALLER ? plain : byWhom;
      for (int number = 2; !taken.add(chosen); number++) {
        chosen = (limit.by() == By.CALLER ? plain : byWhom) + "-" + number;
      }
      names.add(chosen);
    }
    return List.copyOf(names);
  }
}
