package dev.comporta.server.testing;

import dev.comporta.server.store.MicrosClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. Thread-safe. */
public final class ManualClock implements MicrosClock {

  private final AtomicLong nowMicros;

  /** A clock that shows that instant. */
  public ManualClock(Instant start) {
    this.nowMicros = new AtomicLong(ChronoUnit.MICROS.between(Instant.EPOCH, start));
  }

  @Override
  public long nowMicros() {
    return nowMicros.get();
  }

  /** Moves it on, or back if negative. */
  public void advance(Duration duration) {
    nowMicros.addAndGet(duration.toNanos() / 1_000);
  }
}
