package dev.comporta.server.limiter;

import dev.comporta.server.api.Charge;
import dev.comporta.server.api.FailureRule;
import dev.comporta.server.policy.PolicyBinding;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * The limits of one request, about to be asked.
 *
 * @param parts of the limiter
 * @param binding what applies to the resource method
 * @param limits those for which it is known whom they count
 * @param counted whom they count
 * @param cost what the request costs
 */
record Judgement(
    Limiter.Parts parts, PolicyBinding binding, TierLimits limits, Counted counted, long cost) {

  /** Asks them, charges, and tells what was decided. */
  Judged pass(DecisionEvents events) {
    CountedLimits enforced = limits.enforced();
    Judged.Terms terms =
        new Judged.Terms(enforced.wire(), binding.charge(), failureRule(), parts.complaint());
    List<KeyedLimit> keyed = enforced.keyed(counted::keyStart);
    if (binding.charge() != Charge.ALWAYS) {
      parts.store().mayGiveBack(keyed);
    }
    int lease = binding.policy().lease();
    Charges charges = new Charges(parts.store(), enforced, keyed, lease);
    Verdict verdict =
        keyed.isEmpty() ? new Verdict.Unchecked() : parts.store().decide(keyed, cost, lease);
    charges.took(cost, verdict);
    Told told = new Told(limits, events);
    told.tellFirst(cost, verdict);
    if (Judged.passes(verdict)) {
      for (int i = 0; i < limits.shadows().size(); i++) {
        CountedLimits shadow = limits.shadows().get(i);
        List<KeyedLimit> alone = shadow.keyed(counted::keyStart);
        told.tellShadowFirst(i, cost, charges.decideShadow(shadow, alone, cost));
      }
    }
    return new Judged(terms, verdict, charges, told);
  }

  /** Tells what was decided on these limits, at first and later. */
  private record Told(TierLimits limits, DecisionEvents events) implements Judged.LaterDecision {

    void tellFirst(long permits, Verdict verdict) {
      tell(events, permits, verdict);
    }

    void tellShadowFirst(int place, long permits, Verdict verdict) {
      events.tellShadow(limits.shadows().get(place), permits, verdict);
    }

    @Override
    public void tell(long permits, Verdict verdict) {
      tell(events.ofMore(), permits, verdict);
    }

    @Override
    public void tellShadow(int place, long permits, Verdict verdict) {
      events.ofMore().tellShadow(limits.shadows().get(place), permits, verdict);
    }

    private void tell(DecisionEvents to, long permits, Verdict verdict) {
      if (limits.enforced().isEmpty()) {
        to.tellPassed(limits.enforced(), permits);
      } else {
        to.tell(limits.enforced(), permits, verdict);
      }
    }
  }

  private Optional<FailureRule> failureRule() {
    return binding.failure().map(parts.objects()::failureRule);
  }
}
