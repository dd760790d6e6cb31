package dev.comporta.server.http;

/** Microseconds as the whole seconds that the wire tells. */
final class WholeSeconds {

  private static final long MICROS = 1_000_000;

  private WholeSeconds() {}

  /** The fewest whole seconds that are not shorter. */
  static long ceil(long micros) {
    return Math.floorDiv(micros, MICROS) + (Math.floorMod(micros, MICROS) == 0 ? 0 : 1);
  }
}
