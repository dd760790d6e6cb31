package dev.comporta.client.pacing;

import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/**
 * A time that a test moves by hand. A wait in it ends by a signal alone, so that nothing depends on
 * how fast a machine is; each wait that begins is counted.
 */
final class ManualTimeline implements Timeline {

  private final AtomicLong nowMicros = new AtomicLong(1_000_000);
  private final Semaphore waits = new Semaphore(0);

  @Override
  public long nowMicros() {
    return nowMicros.get();
  }

  @Override
  public Instant wallClock() {
    return Instant.EPOCH;
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public void await(Condition condition, long micros) throws InterruptedException {
    waits.release();
    condition.await();
  }

  void advance(long micros) {
    nowMicros.addAndGet(micros);
  }

  /** Returns when that many more waits have begun. */
  void awaitWaits(int count) throws InterruptedException {
    waits.acquire(count);
  }
}
