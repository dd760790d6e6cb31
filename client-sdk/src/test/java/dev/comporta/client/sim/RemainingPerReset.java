package dev.comporta.client.sim;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.Window;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Permission;
import dev.comporta.client.pacing.Ticket;
import java.time.Duration;
import java.util.Optional;

/**
 * Divides what is left by the time until the reset, as many clients do: {@code min(r/t, q/w)},
 * requests in flight counted. A refusal holds the whole client for as long as it tells.
 */
final class RemainingPerReset implements Strategy {

  private static final long MICROS = 1_000_000;

  private boolean isCold = true;
  private int inFlight;
  private long number;
  private long lastMicros = Long.MIN_VALUE / 2;
  private long closedUntil;
  private double remaining;
  private double resetMicros;
  private double fullRate;
  private long toldAt;

  @Override
  public Permission acquire(long now) {
    long at = earliest(now);
    if (at > now) {
      return new Permission.Wait(at);
    }
    inFlight++;
    remaining--;
    lastMicros = isCold ? now : (long) Math.max(lastMicros + 1 / fullRate, now - 20_000.0);
    return new Permission.Granted(new Ticket(++number, now, 0));
  }

  private long earliest(long now) {
    if (isCold) {
      return inFlight == 0 ? now : now + MICROS;
    }
    if (now < closedUntil) {
      return closedUntil;
    }
    if (remaining < 1) {
      return inFlight > 0 ? now + MICROS : Math.max(now, toldAt + (long) resetMicros);
    }
    double rate = Math.min(remaining / Math.max(resetMicros, 1_000), fullRate);
    return Math.max(now, lastMicros + (long) (1 / rate));
  }

  @Override
  public void answered(Ticket ticket, Answer answer, long now) {
    inFlight--;
    Optional<Window> tightest = answer.snapshot().tightest();
    if (tightest.isPresent()) {
      Window window = tightest.get();
      isCold = false;
      remaining = window.remaining().orElse(0) - (double) inFlight;
      resetMicros = micros(window.resetAfter().orElse(Duration.ZERO));
      fullRate = window.limit().orElse(1) / micros(window.length().orElse(Duration.ofSeconds(1)));
      toldAt = now;
    }
    if (answer.isRefused()) {
      Duration hint = answer.snapshot().retryAfter().orElse(Duration.ofSeconds(1));
      closedUntil = Math.max(closedUntil, now + (long) micros(hint));
    }
  }

  @Override
  public Optional<Duration> again(int attempt, RateLimitSnapshot snapshot) {
    return Optional.of(Duration.ZERO);
  }

  private static double micros(Duration duration) {
    return duration.toNanos() / 1000.0;
  }
}
