package dev.comporta.server.policy;

import dev.comporta.server.api.By;
import dev.comporta.server.api.CallerIdentifier;
import java.util.Objects;
import java.util.Optional;

/**
 * Whose requests a limit counts together.
 *
 * @param by the kind of caller
 * @param keyedBy the class that names the caller in place of it, if any; then {@code by} is {@link
 *     By#CALLER}
 */
public record Audience(By by, Optional<Class<? extends CallerIdentifier>> keyedBy) {

  /** Checks that only one of both is said. */
  public Audience {
    Objects.requireNonNull(by, "by");
    Objects.requireNonNull(keyedBy, "keyedBy");
    if (keyedBy.isPresent() && by != By.CALLER) {
      throw new IllegalArgumentException(
          "keyedBy and by must not stand together, was " + keyedBy.get().getName() + " with " + by);
    }
  }

  /** Those callers. */
  public static Audience of(By by) {
    return new Audience(by, Optional.empty());
  }

  /** The callers that this class names. */
  public static Audience keyedBy(Class<? extends CallerIdentifier> identifier) {
    return new Audience(By.CALLER, Optional.of(identifier));
  }
}
