package dev.comporta.client.sim;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Pacer;
import dev.comporta.client.pacing.Permission;
import dev.comporta.client.pacing.Ticket;
import dev.comporta.client.retry.Attempt;
import dev.comporta.client.retry.RetryDecision;
import dev.comporta.client.retry.RetryRules;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The real pacer and the real rules. */
final class Wrapped implements Strategy {

  private static final int REFUSED = 429;

  private final RandomGenerator random;
  private final Pacer pacer;
  private final RetryRules rules = new RetryRules(4, Duration.ofMinutes(2));

  Wrapped(RandomGenerator random) {
    this.random = random;
    this.pacer = new Pacer(random);
  }

  @Override
  public Permission acquire(long nowMicros) {
    return pacer.acquire(nowMicros);
  }

  @Override
  public void answered(Ticket ticket, Answer answer, long nowMicros) {
    pacer.answered(ticket, answer, nowMicros);
  }

  @Override
  public Optional<Duration> again(int attempt, RateLimitSnapshot snapshot) {
    Attempt refused = new Attempt("GET", true, attempt, REFUSED);
    return rules.decide(refused, snapshot, random.nextDouble())
            instanceof RetryDecision.RetryAfter retry
        ? Optional.of(retry.delay())
        : Optional.empty();
  }
}
