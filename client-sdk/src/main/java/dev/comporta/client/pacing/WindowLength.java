package dev.comporta.client.pacing;

import dev.comporta.client.header.Window;
import java.time.Duration;

/**
 * How long a window is. Where no length is told, it is taken for the longest reset. That is two
 * windows where a counter of the window before still weighs, which shows: the quota comes back
 * twice as fast.
 */
final class WindowLength {

  private static final double SHORTEST_MICROS = 1_000;
  private static final double GUESS_MICROS = 1_000_000;
  private static final double FAST_REFILL = 1.6;

  private final boolean isTold;
  private double micros;
  private int windowsInReset = 1;
  private double comesBack;

  WindowLength(Window window) {
    this.isTold = window.length().isPresent();
    this.micros =
        isTold
            ? Math.max(SHORTEST_MICROS, micros(window.length().get()))
            : Math.max(GUESS_MICROS, micros(window.resetAfter().orElse(Duration.ZERO)));
  }

  boolean isTold() {
    return isTold;
  }

  double micros() {
    return micros;
  }

  boolean isOf(Window window) {
    return !isTold || window.length().isEmpty() || micros(window.length().get()) == micros;
  }

  /** Whether it can be half of what it is taken for. */
  boolean mayBeShorter() {
    return !isTold && windowsInReset == 1;
  }

  /** Takes a reset into account; says whether the length is another one now. */
  boolean learn(double resetMicros) {
    if (isTold || resetMicros / windowsInReset <= micros) {
      return false;
    }
    micros = resetMicros / windowsInReset;
    return true;
  }

  /** Takes into account how fast the quota came back; says whether the length is halved. */
  boolean doubt(double refillRate, double fullRate, double spanMicros) {
    if (!mayBeShorter()) {
      return false;
    }
    comesBack += (1 - Math.exp(-spanMicros / micros)) * (refillRate - comesBack);
    if (comesBack <= FAST_REFILL * fullRate) {
      return false;
    }
    windowsInReset = 2;
    micros /= 2;
    return true;
  }

  static double micros(Duration duration) {
    return duration.toNanos() / 1000.0;
  }
}
