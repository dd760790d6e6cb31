package dev.comporta.server.limiter;

import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The limits that one tier of a policy has: those that are enforced, decided as one, and those in
 * shadow mode, each decided by itself.
 */
record TierLimits(CountedLimits enforced, List<CountedLimits> shadows) {

  /** None at all. */
  static final TierLimits NONE =
      new TierLimits(new CountedLimits(List.of(), List.of(), List.of()), List.of());

  /** These limits of that policy, each as it is enforced or not. */
  static TierLimits of(Policy policy, CountedLimits all) {
    Predicate<LimitSpec> isShadow = spec -> policy.mode() == Mode.SHADOW || spec.isShadow();
    List<CountedLimits> shadows = new ArrayList<>();
    for (int i = 0; i < all.specs().size(); i++) {
      if (isShadow.test(all.specs().get(i))) {
        shadows.add(all.onlyAt(i));
      }
    }
    return new TierLimits(all.only(isShadow.negate()), List.copyOf(shadows));
  }

  /** Those of them that pass their test. */
  TierLimits only(Predicate<LimitSpec> test, Predicate<CountedLimits> shadowTest) {
    List<CountedLimits> chosen = shadows.isEmpty() ? shadows : chosen(shadowTest);
    return enforced.allMatch(test) && chosen.size() == shadows.size()
        ? this
        : new TierLimits(enforced.only(test), chosen);
  }

  /** The same without those in shadow mode. */
  TierLimits withoutShadows() {
    return shadows.isEmpty() ? this : new TierLimits(enforced, List.of());
  }

  private List<CountedLimits> chosen(Predicate<CountedLimits> shadowTest) {
    return shadows.stream().filter(shadowTest).toList();
  }

  /** Whether others, of which these were chosen, enforce a limit that these do not. */
  boolean enforcesFewerThan(TierLimits others) {
    return enforced.specs().size() < others.enforced.specs().size();
  }
}
