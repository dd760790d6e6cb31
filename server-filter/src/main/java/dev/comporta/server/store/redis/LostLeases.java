package dev.comporta.server.store.redis;

import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.OnceAMinute;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator of leases whose rest Redis did not take back: it counts as used until its
 * window is over. Told once a minute. Thread-safe.
 */
final class LostLeases {

  private static final Logger LOG = LoggerFactory.getLogger(RedisLimitStore.class);

  private final OnceAMinute complaint;

  LostLeases(MonotonicClock clock) {
    this.complaint = new OnceAMinute(() -> TimeUnit.NANOSECONDS.toMicros(clock.nowNanos()));
  }

  /** How a refund ended: well, if there is no failure. */
  void note(@Nullable Object done, @Nullable Throwable failure) {
    if (failure != null && complaint.isDue()) {
      LOG.warn(
          "What was left of a lease could not be given back: it counts as used until its window is"
              + " over (told once a minute; last failure: {})",
          RedisFailures.of(failure).getMessage());
    }
  }

  /** Waits until all refunds have ended, for so long at most. Each tells for itself how. */
  void await(CompletionStage<?> refunds, Duration atMost) {
    try {
      refunds.toCompletableFuture().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException late) {
      note(null, late);
    } catch (ExecutionException failed) {
      LOG.debug("Leases could not all be given back at the end", failed);
    }
  }
}
