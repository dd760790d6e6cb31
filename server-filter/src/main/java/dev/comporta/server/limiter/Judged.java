package dev.comporta.server.limiter;

import dev.comporta.server.api.Charge;
import dev.comporta.server.api.FailureRule;
import dev.comporta.server.http.RateLimitHeaders;
import dev.comporta.server.http.Refusal;
import dev.comporta.server.http.WireLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.OnceAMinute;
import dev.comporta.server.store.Verdict;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request that limits have decided, with what it has been charged since. */
final class Judged implements Admission {

  private static final Logger LOG = LoggerFactory.getLogger(Judged.class);

  private static final int FIRST_FAILURE = 400;

  private final Terms terms;
  private final Charges charges;
  private final LaterDecision onLater;
  private Verdict verdict; // guarded by this, as those below
  private boolean isSettled;
  private boolean isFree;

  /**
   * What does not change while the request lasts.
   *
   * @param limits those that are enforced, in the order of the verdict
   * @param charge which outcomes keep what was charged
   * @param failure which answers are failures, if the application has a rule of its own
   * @param complaint when a rule that has thrown is told
   */
  record Terms(
      List<WireLimit> limits,
      Charge charge,
      Optional<FailureRule> failure,
      OnceAMinute complaint) {}

  /** Is told what was decided when the resource asked for more. */
  interface LaterDecision {

    /** That many more permits were asked of the enforced limits, if there are any. */
    void tell(long permits, Verdict verdict);

    /** That many more permits were asked of the limit in shadow mode at that place. */
    void tellShadow(int place, long permits, Verdict verdict);
  }

  Judged(Terms terms, Verdict verdict, Charges charges, LaterDecision onLater) {
    this.terms = terms;
    this.verdict = verdict;
    this.charges = charges;
    this.onLater = onLater;
    this.isSettled = terms.charge() == Charge.ALWAYS || !passes(verdict);
  }

  /** Whether that verdict lets a request through. */
  static boolean passes(Verdict verdict) {
    return verdict instanceof Verdict.Admitted || verdict instanceof Verdict.Unchecked;
  }

  @Override
  public synchronized Optional<Refusal> refusal() {
    return Refusal.of(terms.limits(), verdict);
  }

  @Override
  public synchronized Map<String, String> headers(RateLimitHeaders dialects) {
    return dialects.of(terms.limits(), verdict);
  }

  @Override
  public synchronized void charge(long permits) {
    if (isFree) {
      return;
    }
    if (permits > 0) {
      stand(charges.add(permits));
    } else if (permits < 0) {
      stand(charges.giveBack(-Math.max(permits, -Long.MAX_VALUE)));
    }
  }

  @Override
  public synchronized boolean tryCharge(long permits) {
    if (permits < 0) {
      throw new IllegalArgumentException("permits must be at least 0, was " + permits);
    }
    if (permits == 0 || isFree) {
      return true;
    }
    Verdict later = charges.tryAdd(permits);
    if (!(later instanceof Verdict.Unchecked)) {
      verdict = later;
    }
    onLater.tell(permits, later);
    if (later instanceof Verdict.Admitted || !charges.isEnforced()) {
      charges.tryAddInShadow(permits, (place, would) -> onLater.tellShadow(place, permits, would));
    }
    return passes(later);
  }

  @Override
  public void settle(ContainerResponseContext response) {
    if (!isSettled()) {
      settle(isFailure(response));
    }
  }

  @Override
  public void settleFailed() {
    settle(true);
  }

  @Override
  public synchronized boolean isSettled() {
    return isSettled;
  }

  private synchronized void settle(boolean isFailure) {
    if (isSettled) {
      return;
    }
    isSettled = true;
    if (terms.charge() == (isFailure ? Charge.SUCCESSES : Charge.FAILURES)) {
      stand(charges.giveBack(Long.MAX_VALUE));
      isFree = true;
    }
  }

  /* The answer is there: a rule that cannot tell must not take it away. */
  private boolean isFailure(ContainerResponseContext response) {
    boolean isError = response.getStatus() >= FIRST_FAILURE;
    try {
      return terms.failure().map(rule -> rule.isFailure(response)).orElse(isError);
    } catch (RuntimeException thrown) {
      if (terms.complaint().isDue()) {
        LOG.warn(
            "A FailureRule has thrown; the status decides instead (told once a minute)", thrown);
      }
      return isError;
    }
  }

  /* What was refused later stays the last word: it tells when to come back. */
  private void stand(Optional<Standings> standings) {
    if (verdict instanceof Verdict.Admitted && standings.isPresent()) {
      verdict = new Verdict.Admitted(standings.get().standings(), standings.get().nowMicros());
    }
  }
}
