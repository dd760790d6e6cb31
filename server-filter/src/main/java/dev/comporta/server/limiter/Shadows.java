package dev.comporta.server.limiter;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.observe.Observers;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnceAMinute;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks code of the application what limits in shadow mode alone need to know. What it throws ends
 * here: a limit that only watches must not fail a request. Thread-safe.
 */
final class Shadows {

  private static final Logger LOG = LoggerFactory.getLogger(Shadows.class);

  private final Observers observers;
  private final OnceAMinute complaint;

  Shadows(Observers observers, MicrosClock clock) {
    this.observers = observers;
    this.complaint = new OnceAMinute(clock);
  }

  /** The answer; nothing if it throws, which is told. */
  <T> Optional<T> ask(String policy, Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (RuntimeException thrown) {
      tell(policy, thrown);
      return Optional.empty();
    }
  }

  private void tell(String policy, RuntimeException thrown) {
    if (complaint.isDue()) {
      LOG.warn(
          "A limit in shadow mode of policy '{}' was left out, since code of the application has"
              + " thrown; the request went on (told once a minute)",
          policy,
          thrown);
    }
    observers.tell(new RateLimitEvent.ShadowTrouble(policy));
  }
}
