package dev.comporta.server.limiter;

import dev.comporta.server.store.MicrosClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests under way whose outcome decides what they are charged. Some servers tell nobody when a
 * request ends by an exception that nothing maps; so each has a deadline, after which it counts as
 * failed. No thread watches them: the requests that follow do. Thread-safe.
 */
final class Reservations {

  /** Longer than a request commonly lasts, and shorter than what a caller remembers. */
  private static final long DEADLINE_MICROS = Duration.ofMinutes(5).toNanos() / 1_000;

  /**
   * More than are under way at once anywhere, so that a server which tells the end of none does not
   * fill the memory. Beyond it a request is not watched, and keeps what it was charged.
   */
  private static final int MAX_WATCHED = 100_000;

  private static final long LOOK_EVERY_MICROS = TimeUnit.SECONDS.toMicros(1);

  private final Map<Admission, Long> deadlines = new ConcurrentHashMap<>();
  private final AtomicLong nextLookMicros = new AtomicLong(Long.MIN_VALUE);

  /** Watches a request that is not settled yet. */
  void watch(Admission admission, MicrosClock clock) {
    if (deadlines.size() < MAX_WATCHED) {
      deadlines.put(admission, clock.nowMicros() + DEADLINE_MICROS);
    }
  }

  /**
   * No longer watches a request, since it is settled. Not for those that were settled from the
   * start: to look one up makes an identity hash of it, for some 30 ns.
   */
  void forget(Admission admission) {
    deadlines.remove(admission);
  }

  /** Settles those whose deadline has passed; looks once a second at most. */
  void settleOverdue(MicrosClock clock) {
    if (!deadlines.isEmpty()) {
      settleOverdue(clock.nowMicros());
    }
  }

  private void settleOverdue(long nowMicros) {
    long next = nextLookMicros.get();
    boolean isDue = nowMicros >= next || next > nowMicros + LOOK_EVERY_MICROS;
    if (!isDue || !nextLookMicros.compareAndSet(next, nowMicros + LOOK_EVERY_MICROS)) {
      return;
    }
    deadlines.forEach(
        (admission, deadline) -> {
          if (deadline <= nowMicros && deadlines.remove(admission, deadline)) {
            admission.settleFailed();
          }
        });
  }
}
