package dev.comporta.server.policy;

/** What the annotations and the configuration say of one resource method. */
public sealed interface Resolution {

  /** It is limited. */
  record Limited(PolicyBinding binding) implements Resolution {}

  /** It says {@code @RateLimitExempt}: it is kept out of every limit on purpose. */
  record Exempt() implements Resolution {}

  /** It says nothing. */
  record Unlimited() implements Resolution {}
}
