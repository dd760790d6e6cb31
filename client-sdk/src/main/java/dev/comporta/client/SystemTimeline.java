package dev.comporta.client;

import dev.comporta.client.pacing.Timeline;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** The real time; the one class that reads a clock. */
final class SystemTimeline implements Timeline {

  @Override
  public long nowMicros() {
    return System.nanoTime() / 1000;
  }

  @Override
  public Instant wallClock() {
    return Instant.now();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's: it asks again whatever woke it.
  public void await(Condition condition, long micros) throws InterruptedException {
    boolean isSignalled = condition.await(micros, TimeUnit.MICROSECONDS);
    assert isSignalled || micros > 0;
  }
}
