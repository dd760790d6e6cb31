package dev.comporta.server.store;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the operator is told of a store: each change of mode once, lasting errors once a minute. */
final class GuardLog {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedStore.class);
  private static final long PAUSE_MILLIS = Duration.ofMinutes(1).toMillis();

  private final OnStoreFailure onFailure;
  private final Clock clock;
  private final AtomicLong silentUntilMillis = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong lostSilentUntilMillis = new AtomicLong(Long.MIN_VALUE);

  private volatile String lastFailure = "none";

  GuardLog(OnStoreFailure onFailure, Clock clock) {
    this.onFailure = onFailure;
    this.clock = clock;
  }

  void away() {
    LOG.warn(
        "The shared store does not answer; until it does, requests are decided by"
            + " comporta.on-store-failure={} (last: {})",
        onFailure,
        lastFailure);
  }

  void shared() {
    LOG.info("The shared store answers again; limits are shared with the other nodes");
  }

  void failed(Throwable failure) {
    lastFailure =
        failure instanceof StoreException known
            ? String.valueOf(known.getMessage())
            : failure.getClass().getSimpleName();
    LOG.debug("No answer from the shared store: {}", lastFailure);
  }

  void permanent(StoreException error) {
    if (isDue(silentUntilMillis)) {
      LOG.error(
          "The shared store answers with an error that lasts until it is mended; these requests are"
              + " decided by comporta.on-store-failure={} (told once a minute): {}",
          onFailure,
          error.getMessage());
    }
  }

  /** A change of usage that the shared store may not have made; nobody else is told of it. */
  void lost(String change) {
    if (isDue(lostSilentUntilMillis)) {
      LOG.warn(
          "The shared store did not confirm a {}: its usage may be as before (told once a minute;"
              + " last failure: {})",
          change,
          lastFailure);
    }
  }

  private boolean isDue(AtomicLong silentUntil) {
    long now = clock.millis();
    long until = silentUntil.get();
    boolean isDue = now >= until || until - now > PAUSE_MILLIS;
    return isDue && silentUntil.compareAndSet(until, now + PAUSE_MILLIS);
  }
}
