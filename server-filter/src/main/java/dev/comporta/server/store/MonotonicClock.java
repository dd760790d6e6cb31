package dev.comporta.server.store;

/**
 * How this library is told how much time has passed, whatever is done to the clock of the machine.
 * Only {@link #system()} reads a clock.
 */
@FunctionalInterface
public interface MonotonicClock {

  /** Nanoseconds since some instant; differences alone mean anything. */
  long nowNanos();

  /** That of this machine. */
  static MonotonicClock system() {
    return System::nanoTime;
  }
}
