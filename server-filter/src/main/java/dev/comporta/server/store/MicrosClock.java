package dev.comporta.server.store;

/**
 * How this library is told the time. Only {@link #system()} reads a clock; everything else is
 * handed an instant.
 */
@FunctionalInterface
public interface MicrosClock {

  /** Microseconds since the epoch. May step back when the clock of the machine is set. */
  long nowMicros();

  /** The clock of this machine; a change of it is seen within a second. */
  static MicrosClock system() {
    return new AnchoredClock();
  }
}
