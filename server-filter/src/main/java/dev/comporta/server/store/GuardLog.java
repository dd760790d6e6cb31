package dev.comporta.server.store;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the operator is told of a store: each change of mode once, lasting errors once a minute. */
final class GuardLog {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedStore.class);

  private final OnStoreFailure onFailure;
  private final OnceAMinute lasting;
  private final OnceAMinute unconfirmed;

  private volatile String lastFailure = "none";

  GuardLog(OnStoreFailure onFailure, Clock clock) {
    this.onFailure = onFailure;
    MicrosClock micros = () -> TimeUnit.MILLISECONDS.toMicros(clock.millis());
    this.lasting = new OnceAMinute(micros);
    this.unconfirmed = new OnceAMinute(micros);
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
    if (lasting.isDue()) {
      LOG.error(
          "The shared store answers with an error that lasts until it is mended; these requests are"
              + " decided by comporta.on-store-failure={} (told once a minute): {}",
          onFailure,
          error.getMessage());
    }
  }

  /** A change of usage that the shared store may not have made; nobody else is told of it. */
  void lost(String change) {
    if (unconfirmed.isDue()) {
      LOG.warn(
          "The shared store did not confirm a {}: its usage may be as before (told once a minute;"
              + " last failure: {})",
          change,
          lastFailure);
    }
  }
}
