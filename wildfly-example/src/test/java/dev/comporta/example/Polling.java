package dev.comporta.example;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for another process, a bounded time. */
final class Polling {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private Polling() {}

  /** Asks again and again; false if the answer was never yes. */
  static boolean until(Duration patience, BooleanSupplier condition) {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }
}
