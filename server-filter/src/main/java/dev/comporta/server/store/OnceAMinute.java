package dev.comporta.server.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether something is due to be told again: once a minute, so that what each of many requests
 * brings about does not fill the log. A clock that stepped back makes it due. Thread-safe.
 */
public final class OnceAMinute {

  private static final long PAUSE_MICROS = TimeUnit.MINUTES.toMicros(1);

  private final MicrosClock clock;
  private final AtomicLong silentUntilMicros = new AtomicLong(Long.MIN_VALUE);

  /** Due at once. */
  public OnceAMinute(MicrosClock clock) {
    this.clock = clock;
  }

  /** Whether it is due; then it is not for a minute. Of several threads one is told so. */
  public boolean isDue() {
    long now = clock.nowMicros();
    long until = silentUntilMicros.get();
    boolean isDue = until == Long.MIN_VALUE || now >= until || until - now > PAUSE_MICROS;
    return isDue && silentUntilMicros.compareAndSet(until, now + PAUSE_MICROS);
  }
}
