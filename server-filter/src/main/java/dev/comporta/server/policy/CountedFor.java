package dev.comporta.server.policy;

import dev.comporta.server.api.By;
import dev.comporta.server.api.CallerIdentifier;
import java.util.Optional;

/**
 * Whose requests a limit counts together.
 *
 * @param by the kind of caller
 * @param keyedBy the class that names the caller instead
 */
record CountedFor(By by, Optional<Class<? extends CallerIdentifier>> keyedBy) {

  /** The default: each caller. */
  static final CountedFor CALLER = each(By.CALLER);

  /** Those of that kind. */
  static CountedFor each(By by) {
    return new CountedFor(by, Optional.empty());
  }

  /** Those for which a class names the same caller. */
  static CountedFor keyedBy(Class<? extends CallerIdentifier> type) {
    return new CountedFor(By.CALLER, Optional.of(type));
  }

  /** Those of that limit. */
  static CountedFor of(LimitSpec limit) {
    return new CountedFor(limit.by(), limit.keyedBy());
  }

  /** That limit, for these. */
  LimitSpec applyTo(LimitSpec limit) {
    return keyedBy.map(limit::perEach).orElseGet(() -> limit.perEach(by));
  }
}
