package dev.comporta.server.limiter;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.observe.Observers;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Tells what was decided of one request under one policy. Makes no event when nobody listens.
 *
 * @param observers who is told
 * @param policy the name of the policy
 * @param tier the tier that applied, if any
 * @param counted knows whom each limit counts
 * @param nearLimitPercent the share of a limit whose use is told as near the limit
 * @param isOfMore whether the resource asked for more permits than the request was charged
 */
record DecisionEvents(
    Observers observers,
    String policy,
    Optional<String> tier,
    Counted counted,
    int nearLimitPercent,
    boolean isOfMore) {

  private static final int WHOLE = 100;

  /** Tells of more permits that the resource of this request asks for. */
  DecisionEvents ofMore() {
    return new DecisionEvents(observers, policy, tier, counted, nearLimitPercent, true);
  }

  /** Tells a verdict on the enforced limits. */
  void tell(CountedLimits limits, long cost, Verdict verdict) {
    if (observers.isEmpty()) {
      return;
    }
    if (verdict instanceof Verdict.Admitted admitted) {
      tell(new RateLimitEvent.Allowed(policy, tier, anyCaller(limits), cost));
      tellNear(limits, cost, admitted.standings());
    } else if (verdict instanceof Verdict.Refused refused) {
      tell(refused(limits, cost, refused.binding(), Optional.of(wait(refused))));
    } else if (verdict instanceof Verdict.Impossible impossible) {
      tell(refused(limits, cost, impossible.binding(), Optional.empty()));
    } else {
      tell(new RateLimitEvent.StoreTrouble(policy, verdict instanceof Verdict.Unavailable));
    }
  }

  /** Tells that a request passed, since no limit is enforced. */
  void tellPassed(CountedLimits limits, long cost) {
    if (!observers.isEmpty()) {
      tell(new RateLimitEvent.Allowed(policy, tier, anyCaller(limits), cost));
    }
  }

  /** Tells what a limit in shadow mode would have refused. */
  void tellShadow(CountedLimits limit, long cost, Verdict verdict) {
    if (observers.isEmpty()) {
      return;
    }
    if (verdict instanceof Verdict.Refused refused) {
      tell(shadowRefused(limit, cost, Optional.of(wait(refused))));
    } else if (verdict instanceof Verdict.Impossible) {
      tell(shadowRefused(limit, cost, Optional.empty()));
    }
  }

  /* Told when this request has crossed the share, and not again by those that follow. */
  private void tellNear(CountedLimits limits, long cost, List<Standing> standings) {
    for (int i = 0; i < standings.size(); i++) {
      Standing standing = standings.get(i);
      long used = standing.limit() - standing.remaining();
      if (isNear(used, standing) && !isNear(used - cost, standing)) {
        observers.tell(
            new RateLimitEvent.NearLimit(
                policy,
                tier,
                counted.caller(limits.specs().get(i)),
                limits.wire().get(i).name(),
                standing.remaining(),
                standing.limit()));
      }
    }
  }

  private void tell(RateLimitEvent event) {
    observers.tell(isOfMore ? new RateLimitEvent.AskedForMore(event) : event);
  }

  private boolean isNear(long used, Standing standing) {
    return used * WHOLE >= standing.limit() * nearLimitPercent;
  }

  private RateLimitEvent.Refused refused(
      CountedLimits limits, long cost, int binding, Optional<Duration> retryAfter) {
    LimitSpec limit = limits.specs().get(binding);
    return new RateLimitEvent.Refused(
        policy, tier, counted.caller(limit), cost, limits.wire().get(binding).name(), retryAfter);
  }

  private RateLimitEvent.ShadowRefused shadowRefused(
      CountedLimits limit, long cost, Optional<Duration> retryAfter) {
    return new RateLimitEvent.ShadowRefused(
        policy,
        tier,
        counted.caller(limit.specs().get(0)),
        cost,
        limit.wire().get(0).name(),
        retryAfter);
  }

  private Optional<Caller> anyCaller(CountedLimits limits) {
    for (LimitSpec limit : limits.specs()) {
      Optional<Caller> caller = counted.caller(limit);
      if (caller.isPresent()) {
        return caller;
      }
    }
    return Optional.empty();
  }

  private static Duration wait(Verdict.Refused refused) {
    return Duration.of(refused.retryAfterMicros(), ChronoUnit.MICROS);
  }
}
