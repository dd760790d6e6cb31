package dev.comporta.server.store;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clock of this machine, read through the cheaper of its two: the wall clock is asked once a
 * second, and the monotonic one counts from there. Thread-safe.
 */
final class AnchoredClock implements MicrosClock {

  /*
   * Why not Instant.now() each time: it takes 42 ns here, and nanoTime 27, out of some 60 for a
   * whole decision. Two threads that renew the anchor at once do the same work twice, no more.
   * Where the wall clock was slewed or set meanwhile, the new anchor makes time jump by that much,
   * which every algorithm stands.
   */

  private static final long RENEW_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Two readings further apart than this were torn by a pause, and are taken again. */
  private static final long TORN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private static final int TRIES = 3;

  private final LongSupplier wallMicros;
  private final LongSupplier monotonicNanos;

  private Anchor anchor;

  private record Anchor(long micros, long nanos) {}

  /** The clocks of this machine. */
  AnchoredClock() {
    this(AnchoredClock::wallMicros, System::nanoTime);
  }

  /** Those clocks, for tests. */
  AnchoredClock(LongSupplier wallMicros, LongSupplier monotonicNanos) {
    this.wallMicros = wallMicros;
    this.monotonicNanos = monotonicNanos;
    this.anchor = newAnchor();
  }

  @Override
  public long nowMicros() {
    // A racy read of an immutable record: whichever anchor is seen, it is whole.
    Anchor seen = anchor;
    long sinceNanos = monotonicNanos.getAsLong() - seen.nanos();
    if (sinceNanos >= 0 && sinceNanos < RENEW_AFTER_NANOS) {
      return seen.micros() + sinceNanos / 1_000;
    }
    Anchor renewed = newAnchor();
    anchor = renewed;
    return renewed.micros();
  }

  private Anchor newAnchor() {
    long before = monotonicNanos.getAsLong();
    for (int i = 1; ; i++) {
      long wall = wallMicros.getAsLong();
      long after = monotonicNanos.getAsLong();
      if (after - before <= TORN_NANOS || i == TRIES) {
        return new Anchor(wall, after);
      }
      before = after;
    }
  }

  private static long wallMicros() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1_000;
  }
}
