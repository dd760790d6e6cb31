package dev.comporta.server.store;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The only place where this library reads a clock. Everything else is told the time. */
@FunctionalInterface
public interface MicrosClock {

  /** Microseconds since the epoch. May step back when the clock of the machine is set. */
  long nowMicros();

  /** The clock of this machine. */
  static MicrosClock system() {
    return () -> {
      Instant now = Instant.now();
      return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1_000;
    };
  }
}
