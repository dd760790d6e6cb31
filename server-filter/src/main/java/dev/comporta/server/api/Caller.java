package dev.comporta.server.api;

import java.util.Objects;
import java.util.Optional;

/**
 * Who sent a request, as far as limits are concerned: a kind, an identity that is unique within its
 * kind, and perhaps a tier that has limits of its own.
 *
 * <p>The kind keeps identities apart: a user named {@code 127.0.0.1} is not that address. The
 * identity is in clear here and is hashed before it reaches a store, a log or a metric; {@link
 * #toString()} does not tell it.
 *
 * @param kind what the identity is, for example {@code principal}, {@code api-key} or {@code
 *     address}
 * @param identity unique within the kind, never empty
 * @param tier the name of a tier, for example {@code premium}
 */
public record Caller(String kind, String identity, Optional<String> tier) {

  /** Checks that kind and identity say something. */
  public Caller {
    Objects.requireNonNull(tier, "tier");
    if (kind.isEmpty() || identity.isEmpty()) {
      throw new IllegalArgumentException("kind and identity of a caller must not be empty");
    }
  }

  /** A caller without a tier. */
  public static Caller of(String kind, String identity) {
    return new Caller(kind, identity, Optional.empty());
  }

  /** This caller in that tier. */
  public Caller inTier(String name) {
    return new Caller(kind, identity, Optional.of(name));
  }

  /** The kind and the tier; not the identity, which may be a secret. */
  @Override
  public String toString() {
    return "Caller[" + kind + tier.map(name -> ", " + name).orElse("") + "]";
  }
}
