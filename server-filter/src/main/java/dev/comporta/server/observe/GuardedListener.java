package dev.comporta.server.observe;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnceAMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener whose failures end here: they are logged, once a minute, and the request goes on. */
final class GuardedListener {

  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  private final RateLimitListener listener;
  private final OnceAMinute complaint;

  GuardedListener(RateLimitListener listener, MicrosClock clock) {
    this.listener = listener;
    this.complaint = new OnceAMinute(clock);
  }

  void tell(RateLimitEvent event) {
    try {
      listener.on(event);
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (Throwable failure) {
      log(event, failure);
    }
  }

  private void log(RateLimitEvent event, Throwable failure) {
    if (complaint.isDue()) {
      LOG.warn(
          "{} failed to hear {}; the request went on (told once a minute)",
          listener.getClass().getName(),
          event.getClass().getSimpleName(),
          failure);
    }
  }
}
