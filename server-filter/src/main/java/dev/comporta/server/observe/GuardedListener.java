package dev.comporta.server.observe;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.store.MicrosClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener whose failures end here: they are logged, once a minute, and the request goes on. */
final class GuardedListener {

  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);
  private static final long PAUSE_MICROS = TimeUnit.MINUTES.toMicros(1);

  private final RateLimitListener listener;
  private final MicrosClock clock;
  private final AtomicLong silentUntilMicros = new AtomicLong(Long.MIN_VALUE);

  GuardedListener(RateLimitListener listener, MicrosClock clock) {
    this.listener = listener;
    this.clock = clock;
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

  /* A clock that stepped back must not silence it for longer than the pause. */
  private void log(RateLimitEvent event, Throwable failure) {
    long now = clock.nowMicros();
    long until = silentUntilMicros.get();
    boolean isDue = until == Long.MIN_VALUE || now >= until || until - now > PAUSE_MICROS;
    if (isDue && silentUntilMicros.compareAndSet(until, now + PAUSE_MICROS)) {
      LOG.warn(
          "{} failed to hear {}; the request went on (told once a minute)",
          listener.getClass().getName(),
          event.getClass().getSimpleName(),
          failure);
    }
  }
}
