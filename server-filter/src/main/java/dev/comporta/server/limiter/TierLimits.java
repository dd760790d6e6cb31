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

  /** Those of them that pass the test. */
  TierLimits only(Predicate<LimitSpec> test) {
    if (enforced.allMatch(test) && shadows.stream().allMatch(shadow -> shadow.allMatch(test))) {
      return this;
    }
    return new TierLimits(
        enforced.only(test), shadows.stream().filter(shadow -> shadow.allMatch(test)).toList());
  }

  /** Whether others, of which these were chosen, enforce a limit that these do not. */
  boolean enforcesFewerThan(TierLimits others) {
    return enforced.specs().size() < others.enforced.specs().size();
  }
}
