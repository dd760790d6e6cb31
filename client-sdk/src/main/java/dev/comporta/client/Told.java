package dev.comporta.client;

import dev.comporta.client.RateLimitedClient.Options;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Tells the listeners of a client. Thread-safe. */
final class Told {

  private static final Logger LOG = System.getLogger(RateLimitedClient.class.getName());

  private final Options options;

  Told(Options options) {
    this.options = options;
  }

  /** What the listener of waits throws ends the call. */
  void beforeWait(String origin, Duration delay, CallEvent.Cause cause) {
    on(new CallEvent.Waiting(origin, delay, cause));
    options.listener().beforeWait(origin, delay);
  }

  void on(CallEvent event) {
    try {
      options.calls().on(event);
    } catch (RuntimeException | Error thrown) {
      LOG.log(Level.WARNING, "the listener of calls failed on " + event, thrown);
    }
  }
}
