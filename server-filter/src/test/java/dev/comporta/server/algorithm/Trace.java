package dev.comporta.server.algorithm;

import dev.comporta.server.policy.LimitSpec;
import java.util.Random;
import java.util.stream.Stream;

/** One seeded walk through time: bursts, pauses of about a window, and idle times. */
final class Trace {

  static final long TODAY_MICROS = 1_796_040_000_000_000L;
  static final int STEPS = 200;

  private static final int TRACES = 24;

  final Random random;
  final String name;
  private final LimitSpec limit;
  private long nowMicros;

  private Trace(LimitSpec limit, int number) {
    long seed = 31L * limit.toString().hashCode() + number;
    this.limit = limit;
    this.random = new Random(seed);
    this.name = limit + " seed " + seed;
    this.nowMicros = TODAY_MICROS + random.nextLong(limit.windowMicros());
  }

  static Stream<Trace> of(LimitSpec limit) {
    return Stream.iterate(0, number -> number + 1)
        .limit(TRACES)
        .map(number -> new Trace(limit, number));
  }

  long nowMicros() {
    return nowMicros;
  }

  long step() {
    long gap =
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> 0;
          case 3 -> random.nextLong(2 * limit.windowMicros() + 1);
          case 4 -> random.nextInt(50) == 0 ? 5 * limit.windowMicros() : 1;
          default -> random.nextLong(3 * limit.windowMicros() / limit.permits() + 2);
        };
    nowMicros += gap;
    return nowMicros;
  }

  long cost() {
    return random.nextInt(4) > 0 ? 1 : 1 + random.nextLong(limit.maxCost());
  }
}
