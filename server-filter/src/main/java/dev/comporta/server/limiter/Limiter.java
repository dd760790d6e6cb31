package dev.comporta.server.limiter;

import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.caller.CallerChain;
import dev.comporta.server.caller.RequestCallers;
import dev.comporta.server.caller.UnknownCaller;
import dev.comporta.server.http.Refusal;
import dev.comporta.server.observe.Observers;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyBinding;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnceAMinute;
import dev.comporta.server.store.SharedChanges;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Decides the requests to one application. Thread-safe. */
public final class Limiter implements AutoCloseable {

  /*
   * The way of a request
   *
   * Who may not come at all is asked first, then whose limits apply, then what the request costs.
   * The enforced limits are decided as one. Only a request that they let pass is shown to the limits
   * in shadow mode, each by itself: one that was refused would not have reached them.
   */

  private static final Admission FREE = new Admission.Free();

  private final Parts parts;
  private final PolicyTiers tiers;
  private final Shadows shadows;
  private final Blocks blocks = new Blocks();
  private final RunningChanges changes;
  private final ChangeFollower follower;
  private final Reservations reservations = new Reservations();
  private final QuotaReader quotas;
  private volatile Rules rules;

  /**
   * What a limiter is made of.
   *
   * @param store where usage is kept; closed with the limiter
   * @param catalog the policies
   * @param callers who sends requests; asked for when the first request is there, since an
   *     identifier that is a bean may serve single limits alone, which resources tell
   * @param keys what keys begin with
   * @param objects those whose classes annotations name
   * @param observers who is told of decisions
   * @param clock for deadlines
   * @param changes where running code writes what it changes
   * @param changesPeriod how often is looked there what other nodes have written
   * @param complaint when a rule of the application that has thrown is told
   */
  public record Parts(
      LimitStore store,
      PolicyCatalog catalog,
      Supplier<CallerChain> callers,
      CallerKeys keys,
      ApplicationObjects objects,
      Observers observers,
      MicrosClock clock,
      SharedChanges changes,
      Duration changesPeriod,
      OnceAMinute complaint) {}

  /** A limiter of those parts, under those rules. */
  public Limiter(Parts parts, Rules rules) {
    this.parts = parts;
    this.tiers = new PolicyTiers(parts.catalog(), parts.clock());
    this.quotas = new QuotaReader(parts.store(), tiers);
    this.rules = rules;
    this.shadows = new Shadows(parts.observers(), parts.clock());
    this.changes =
        new RunningChanges(parts.changes(), new ChangedPolicies(parts.catalog()), blocks);
    this.follower = new ChangeFollower(parts.changes(), changes, parts.changesPeriod());
  }

  /**
   * Looks for the first time what running code has changed, on any node. It acts from the first
   * {@link #followChanges} on, when all policies are known.
   */
  public void beginToFollow(Duration atMost) {
    follower.begin(parts.clock().nowMicros(), atMost);
  }

  /** Takes on what other nodes have changed, and looks again if that is due; waits for nothing. */
  public void followChanges(long nowMicros) {
    follower.follow(nowMicros);
  }

  /** From now on, these rules hold. */
  public void apply(Rules changed) {
    this.rules = changed;
  }

  /** Decides, and charges if every limit that is enforced passes. */
  public Admission decide(ContainerRequestContext request, PolicyBinding binding) {
    if (binding.policy().mode() == Mode.OFF) {
      return FREE;
    }
    reservations.settleOverdue(parts.clock());
    Rules current = rules;
    RequestCallers callers = parts.callers().get().with(current.unknown()).of(request);
    return beforehand(callers, binding.policy().name(), current)
        .orElseGet(() -> judge(request, binding, callers, current));
  }

  /** Settles what a request was charged, now that its answer is known. */
  public void settle(Admission admission, ContainerResponseContext response) {
    if (!admission.isSettled()) {
      reservations.forget(admission);
      admission.settle(response);
    }
  }

  /** Settles what a request was charged that ended without an answer of the resource. */
  public void settleFailed(Admission admission) {
    if (!admission.isSettled()) {
      reservations.forget(admission);
      admission.settleFailed();
    }
  }

  /** Where the caller of this request stands under each policy with a name. Charges nothing. */
  public List<Quota> quotas(ContainerRequestContext request) {
    Rules current = rules;
    RequestCallers callers = parts.callers().get().with(current.unknown()).of(request);
    Counted counted = new Counted(parts.keys(), parts.objects(), callers);
    return quotas.read(
        parts.catalog().sharedPolicies(),
        policy -> tier(policy, callers),
        limit ->
            Counted.isEveryone(limit) || !counted.isKnown(limit)
                ? Optional.empty()
                : Optional.of(counted.keyStart(limit)));
  }

  Parts parts() {
    return parts;
  }

  PolicyTiers tiers() {
    return tiers;
  }

  QuotaReader quotas() {
    return quotas;
  }

  RunningChanges changes() {
    return changes;
  }

  @Override
  public void close() {
    parts.observers().close();
    parts.store().close();
  }

  private Optional<Admission> beforehand(RequestCallers callers, String policy, Rules current) {
    if (callers.isBlocked(current.blocked())) {
      return Optional.of(barred(Refusal.blocked(), policy, callers));
    }
    OptionalLong leftMicros = blocks.leftMicros(callers, parts.keys(), parts.changes().clock());
    if (leftMicros.isPresent()) {
      Refusal refusal = Refusal.blockedFor(leftMicros.getAsLong());
      return Optional.of(barred(refusal, policy, callers));
    }
    return callers.isAllowed(current.allowed()) ? Optional.of(FREE) : Optional.empty();
  }

  private Admission barred(Refusal refusal, String policy, RequestCallers callers) {
    if (!parts.observers().isEmpty()) {
      parts
          .observers()
          .tell(
              new RateLimitEvent.Barred(
                  policy, Optional.empty(), callers.caller(), refusal.status()));
    }
    return new Admission.Barred(refusal);
  }

  private Admission judge(
      ContainerRequestContext request,
      PolicyBinding binding,
      RequestCallers callers,
      Rules current) {
    Policy policy = binding.policy();
    Counted counted = new Counted(parts.keys(), parts.objects(), callers);
    if (policy.mode() != Mode.SHADOW) {
      return judge(request, binding, counted, tier(policy, callers), current);
    }
    return shadows
        .ask(policy.name(), () -> tier(policy, callers))
        .map(tier -> judge(request, binding, counted, tier, current))
        .orElseGet(
            () -> pass(binding, counted, Optional.empty(), new Asked(TierLimits.NONE, 1), current));
  }

  private Admission judge(
      ContainerRequestContext request,
      PolicyBinding binding,
      Counted counted,
      Optional<String> tier,
      Rules current) {
    Policy policy = binding.policy();
    TierLimits limits = tiers.limits(policy, tier);
    TierLimits known =
        limits.only(
            counted::isKnown,
            shadow ->
                shadows.ask(policy.name(), () -> shadow.allMatch(counted::isKnown)).orElse(false));
    if (current.unknown() == UnknownCaller.DENY && known.enforcesFewerThan(limits)) {
      return barred(Refusal.callerUnknown(), policy.name(), counted.callers());
    }
    return pass(binding, counted, tier, asked(request, binding, known), current);
  }

  /** Limits that are asked, and for how many permits. */
  private record Asked(TierLimits limits, long cost) {}

  private Asked asked(ContainerRequestContext request, PolicyBinding binding, TierLimits limits) {
    if (binding.costBy().isEmpty() || !limits.enforced().isEmpty()) {
      return new Asked(limits, cost(request, binding));
    }
    return shadows
        .ask(binding.policy().name(), () -> new Asked(limits, cost(request, binding)))
        .orElseGet(() -> new Asked(limits.withoutShadows(), 1));
  }

  private Admission pass(
      PolicyBinding binding, Counted counted, Optional<String> tier, Asked asked, Rules current) {
    Judged judged =
        new Judgement(parts, binding, asked.limits(), counted, asked.cost())
            .pass(
                new DecisionEvents(
                    parts.observers(),
                    binding.policy().name(),
                    tier,
                    counted,
                    current.nearLimitPercent(),
                    false));
    if (!judged.isSettled()) {
      reservations.watch(judged, parts.clock());
    }
    return judged;
  }

  private long cost(ContainerRequestContext request, PolicyBinding binding) {
    return binding
        .costBy()
        .map(type -> Math.max(1, parts.objects().costResolver(type).cost(request)))
        .orElse(binding.cost());
  }

  private static Optional<String> tier(Policy policy, RequestCallers callers) {
    return policy.tiers().isEmpty() ? Optional.empty() : PolicyTiers.tierOf(policy, callers.tier());
  }
}
