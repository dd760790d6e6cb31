package dev.comporta.client;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/**
 * Counts in Micrometer what limits do to the calls of a client. The one class that knows
 * Micrometer; an application that names it has that library. Thread-safe.
 *
 * <pre>{@code
 * Options.defaults().withCallListener(new CallMeters(registry));
 * }</pre>
 *
 * <p>Each meter has the tag {@code origin}: scheme, host and port of the server.
 *
 * <ul>
 *   <li>{@code comporta.client.waits}, a timer: waits of a second or more, by {@code cause}
 *   <li>{@code comporta.client.refusals}: answers that turned a call away, by {@code status}
 *   <li>{@code comporta.client.retries}: calls that were sent again
 *   <li>{@code comporta.client.given.up}: refused calls that were not sent again, by {@code reason}
 *   <li>{@code comporta.client.not.sent}: calls that would have waited for too long, by {@code
 *       reason}
 * </ul>
 */
public final class CallMeters implements CallListener {

  private static final String PREFIX = "comporta.client.";

  private final MeterRegistry registry;

  public CallMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void on(CallEvent event) {
    Tags origin = Tags.of("origin", event.origin());
    if (event instanceof CallEvent.Waiting waiting) {
      Timer.builder(PREFIX + "waits")
          .description("Waits of a second or more, as long as they were expected to be")
          .tags(origin.and("cause", tag(waiting.cause())))
          .register(registry)
          .record(waiting.delay());
    } else if (event instanceof CallEvent.Refused refused) {
      count("refusals", origin.and("status", String.valueOf(refused.status())));
    } else if (event instanceof CallEvent.Retried) {
      count("retries", origin);
    } else if (event instanceof CallEvent.GaveUp gaveUp) {
      count("given.up", origin.and("reason", tag(gaveUp.reason())));
    } else if (event instanceof CallEvent.NotSent notSent) {
      count("not.sent", origin.and("reason", tag(notSent.reason())));
    }
  }

  private void count(String name, Tags tags) {
    Counter.builder(PREFIX + name).tags(tags).register(registry).increment();
  }

  private static String tag(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
