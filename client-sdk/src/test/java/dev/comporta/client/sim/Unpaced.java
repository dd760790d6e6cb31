package dev.comporta.client.sim;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Permission;
import dev.comporta.client.pacing.Ticket;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Every request leaves at once; clients of this kind differ in what follows a refusal. */
final class Unpaced implements Strategy {

  private static final double LONGEST_BACKOFF_SECONDS = 20;

  /** What follows a refusal. */
  interface Retry {
    Optional<Duration> after(int attempt, RateLimitSnapshot snapshot);
  }

  private final Retry retry;
  private long number;

  Unpaced(Retry retry) {
    this.retry = retry;
  }

  static Unpaced retryAfterOnly(RandomGenerator random) {
    return new Unpaced(
        (attempt, snapshot) ->
            snapshot
                .retryAfter()
                .map(
                    hint -> {
                      double jitter = Math.max(0.25, 0.1 * hint.toSeconds());
                      return hint.plus(seconds(random.nextDouble() * jitter));
                    }));
  }

  /** As the SDKs of AWS do: a random part of 1 s, doubled at each attempt. Without end. */
  static Unpaced exponentialBackoff(RandomGenerator random) {
    return new Unpaced(
        (attempt, snapshot) -> {
          double longest = Math.min(LONGEST_BACKOFF_SECONDS, Math.pow(2, attempt - 1.0));
          return Optional.of(seconds(random.nextDouble() * longest));
        });
  }

  @Override
  public Permission acquire(long nowMicros) {
    return new Permission.Granted(new Ticket(++number, nowMicros, 0));
  }

  @Override
  public void answered(Ticket ticket, Answer answer, long nowMicros) {}

  @Override
  public Optional<Duration> again(int attempt, RateLimitSnapshot snapshot) {
    return retry.after(attempt, snapshot);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
