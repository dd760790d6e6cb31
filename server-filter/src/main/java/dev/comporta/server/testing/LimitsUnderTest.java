package dev.comporta.server.testing;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.filter.RateLimitFeature;
import dev.comporta.server.store.memory.MemoryLimitStore;
import jakarta.ws.rs.core.Configurable;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The limits of an application that is being tested: time stands still until the test moves it, all
 * that was decided is kept, and usage can be forgotten between two tests.
 *
 * <pre>{@code
 * LimitsUnderTest limits = new LimitsUnderTest();
 * ResourceConfig application = new ResourceConfig(BookResource.class);
 * limits.applyTo(application);
 *
 * // 100 requests pass, the next one does not, and a minute later it does
 * limits.clock().advance(Duration.ofMinutes(1));
 * limits.refused("search").size(); // 1
 * limits.forgetUsage();
 * }</pre>
 *
 * <p>A test that is not about limits turns them off with {@code comporta.mode=off}. Thread-safe.
 */
public final class LimitsUnderTest {

  private static final int STATES = 100_000;

  private final ManualClock clock = new ManualClock(Instant.parse("2030-01-01T00:00:00Z"));
  private final MemoryLimitStore store = new MemoryLimitStore(STATES, clock);
  private final List<RateLimitEvent> events = new CopyOnWriteArrayList<>();

  /** Limits of no application yet; the clock shows the beginning of the year 2030 in UTC. */
  public LimitsUnderTest() {}

  /** Makes that application count by this clock and tell its decisions here. */
  public void applyTo(Configurable<?> application) {
    RateLimitListener listener = events::add;
    application.property(RateLimitFeature.CLOCK, clock);
    application.property(RateLimitFeature.STORE, store);
    application.property(RateLimitFeature.LISTENER, listener);
  }

  /** The time, which the test moves. */
  public ManualClock clock() {
    return clock;
  }

  /** Forgets what every caller has used, and what was decided. */
  public void forgetUsage() {
    store.close();
    events.clear();
  }

  /** All that was decided, in its order. */
  public List<RateLimitEvent> events() {
    return List.copyOf(events);
  }

  /** The requests that passed under that policy. */
  public List<RateLimitEvent.Allowed> allowed(String policy) {
    return of(RateLimitEvent.Allowed.class, policy);
  }

  /** The requests that were refused under that policy. */
  public List<RateLimitEvent.Refused> refused(String policy) {
    return of(RateLimitEvent.Refused.class, policy);
  }

  /** The requests that limits in shadow mode would have refused under that policy. */
  public List<RateLimitEvent.ShadowRefused> shadowRefused(String policy) {
    return of(RateLimitEvent.ShadowRefused.class, policy);
  }

  private <E extends RateLimitEvent.Decided> List<E> of(Class<E> type, String policy) {
    return events.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .filter(event -> event.policy().equals(policy))
        .toList();
  }
}
