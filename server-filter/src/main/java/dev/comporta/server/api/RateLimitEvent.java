package dev.comporta.server.api;

import java.time.Duration;
import java.util.Optional;

/**
 * Something that an operator may want to see. Tells policies, tiers and figures; the caller is told
 * to the application alone, and its {@link Caller#toString()} gives no identity away.
 */
public sealed interface RateLimitEvent {

  /** What was decided of one request, under one policy. */
  sealed interface Decided extends RateLimitEvent {

    /** The name of the policy. */
    String policy();

    /** The tier of the policy that applied; empty for its common limits. */
    Optional<String> tier();

    /** Who was decided; empty if nobody had to be known, as for limits for everyone. */
    Optional<Caller> caller();
  }

  /**
   * A request passed.
   *
   * @param policy the name of the policy
   * @param tier the tier that applied, if any
   * @param caller who sent it, if that had to be known
   * @param cost permits that it was charged
   */
  record Allowed(String policy, Optional<String> tier, Optional<Caller> caller, long cost)
      implements Decided {}

  /**
   * A request was refused by a limit. Callers who are blocked or cannot be told are refused before
   * any limit is asked: see {@link Barred}.
   *
   * @param policy the name of the policy
   * @param tier the tier that applied, if any
   * @param caller who sent it, if that had to be known
   * @param cost permits that it asked for
   * @param limit the name of the limit that refused, as the wire tells it
   * @param retryAfter when it would pass; empty if it never can
   */
  record Refused(
      String policy,
      Optional<String> tier,
      Optional<Caller> caller,
      long cost,
      String limit,
      Optional<Duration> retryAfter)
      implements Decided {}

  /**
   * A request passed that a limit in shadow mode would have refused.
   *
   * @param policy the name of the policy
   * @param tier the tier that applied, if any
   * @param caller who sent it, if that had to be known
   * @param cost permits that it asked for
   * @param limit the name of the limit that would have refused
   * @param retryAfter when it would have passed; empty if it never could
   */
  record ShadowRefused(
      String policy,
      Optional<String> tier,
      Optional<Caller> caller,
      long cost,
      String limit,
      Optional<Duration> retryAfter)
      implements Decided {}

  /**
   * A request passed, and with it a caller has used so much of a limit that it may soon be refused.
   * Told once each time that the share of {@code comporta.near-limit-percent} is crossed.
   *
   * @param policy the name of the policy
   * @param tier the tier that applied, if any
   * @param caller who sent it, if that had to be known
   * @param limitName the name of the limit, as the wire tells it
   * @param remaining permits that are left
   * @param limit permits that there are at most
   */
  record NearLimit(
      String policy,
      Optional<String> tier,
      Optional<Caller> caller,
      String limitName,
      long remaining,
      long limit)
      implements Decided {}

  /**
   * A request was refused for who sent it, before any limit was asked: the caller is blocked, or
   * cannot be told.
   *
   * @param policy the name of the policy that it would have come under
   * @param tier always empty: it was not asked for
   * @param caller who is blocked; empty if nobody could be told
   * @param status of the answer: 403, or 429 for a block that ends
   */
  record Barred(String policy, Optional<String> tier, Optional<Caller> caller, int status)
      implements Decided {}

  /**
   * A resource asked for more permits, for a request that had passed: {@link
   * RateLimitContext#tryCharge}.
   *
   * @param answer what became of that, told as of a request: {@link Allowed}, {@link Refused},
   *     {@link ShadowRefused} or {@link StoreTrouble}. Its cost is what was asked for
   */
  record AskedForMore(RateLimitEvent answer) implements RateLimitEvent {}

  /**
   * A request that the store could not decide: it passed unchecked or was refused with 503, as
   * configured.
   *
   * @param policy the name of the policy
   * @param isRefused whether it was refused
   */
  record StoreTrouble(String policy, boolean isRefused) implements RateLimitEvent {}

  /**
   * A request was decided without a limit in shadow mode: what the application brings to tell whom
   * the limit counts, or what the request costs, has thrown. Where an enforced limit needs it, too,
   * the request fails instead.
   *
   * @param policy the name of the policy
   */
  record ShadowTrouble(String policy) implements RateLimitEvent {}
}
