package dev.comporta.client.retry;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.Throttle.Resending;
import dev.comporta.client.retry.RetryDecision.Reason;
import dev.comporta.client.retry.RetryDecision.Stop;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What may be sent again, and when. A pure function of the attempt and of what its answer tells.
 *
 * <p>A 429, or what the vendor's documents name as a refusal in another status below 500, was not
 * processed, so it is retried for every method; a 503 that names a wait only for idempotent ones,
 * or with an idempotency key; nothing else is, and nothing of which the server says that it must
 * not be sent again. The wait is the longer of the server's hint and an own backoff, never less
 * than the hint: what is random is added after it.
 *
 * @param maxAttempts sendings in all, 1 or more
 * @param maxWait the longest single wait, 0 or more; a hint above it stops
 */
public record RetryRules(int maxAttempts, Duration maxWait) {

  private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS");

  /** From here on a status does not say that the request had no effect. */
  private static final int FIRST_SERVER_ERROR = 500;

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(500);

  /** Doubling stops here: 500 ms x 2^6 = 32 s. */
  private static final int MOST_DOUBLINGS = 6;

  /** What is added to a hint so that clients do not return together: a tenth of it, up to 1 s. */
  private static final int HINT_TO_JITTER = 10;

  private static final Duration LONGEST_JITTER = Duration.ofSeconds(1);

  public RetryRules {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be >= 1, was " + maxAttempts);
    }
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait must be >= 0, was " + maxWait);
    }
  }

  /** Whether that status turns a request away for its rate, given what the answer tells. */
  public static boolean isRefusal(int status, RateLimitSnapshot snapshot) {
    return status == 429
        || (status == 503 && snapshot.retryAfter().isPresent())
        || snapshot.throttle().isRefusal();
  }

  /**
   * Decides what follows an answer.
   *
   * @param random from 0 to 1, drawn anew for each decision
   */
  public RetryDecision decide(Attempt attempt, RateLimitSnapshot snapshot, double random) {
    if (!isRefusal(attempt.status(), snapshot)) {
      return new Stop(Reason.NOT_REFUSED);
    }
    if (snapshot.throttle().resending() == Resending.FORBIDDEN) {
      return new Stop(Reason.FORBIDDEN);
    }
    if (attempt.status() >= FIRST_SERVER_ERROR && !isIdempotent(attempt.call())) {
      return new Stop(Reason.NOT_SAFE);
    }
    if (!attempt.call().isRepeatable()) {
      return new Stop(Reason.NOT_REPEATABLE);
    }
    if (attempt.number() >= maxAttempts) {
      return new Stop(Reason.ATTEMPTS_EXHAUSTED);
    }
    Optional<Duration> hint = snapshot.waitHint();
    if (hint.isPresent() && hint.get().compareTo(maxWait) > 0) {
      return new Stop(Reason.WAIT_TOO_LONG);
    }
    return new RetryDecision.RetryAfter(wait(attempt.number(), hint, random));
  }

  private static boolean isIdempotent(Attempt.Call call) {
    return call.hasIdempotencyKey() || IDEMPOTENT.contains(call.method());
  }

  private Duration wait(int number, Optional<Duration> hint, double random) {
    Duration longest = FIRST_BACKOFF.multipliedBy(1L << Math.min(number - 1, MOST_DOUBLINGS));
    Duration backoff = longest.dividedBy(2).plus(part(longest.dividedBy(2), random));
    Duration hinted = hint.map(wait -> jittered(wait, random)).orElse(Duration.ZERO);
    Duration wait = backoff.compareTo(hinted) > 0 ? backoff : hinted;
    return wait.compareTo(maxWait) > 0 ? maxWait : wait;
  }

  private static Duration jittered(Duration hint, double random) {
    Duration tenth = hint.dividedBy(HINT_TO_JITTER);
    return hint.plus(part(tenth.compareTo(LONGEST_JITTER) > 0 ? LONGEST_JITTER : tenth, random));
  }

  private static Duration part(Duration whole, double share) {
    return Duration.ofNanos((long) (whole.toNanos() * share));
  }
}
