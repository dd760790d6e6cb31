package dev.comporta.server.cdi;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.BeanManager;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Fires what it is told as CDI events, so that {@code void on(@Observes RateLimitEvent.Refused
 * refused)} hears them. Observer methods are known once an application has started, so it is looked
 * up once which events have any; the others are not fired. Those that are {@code @ObservesAsync}
 * are not called: a flood of requests would fill the queue before them.
 */
final class ObserverMethods implements RateLimitListener {

  private final Event<Object> event;
  private final Set<Class<?>> observed;

  private ObserverMethods(Event<Object> event, Set<Class<?>> observed) {
    this.event = event;
    this.observed = Set.copyOf(observed);
  }

  /** Empty if the application observes none of the events. */
  static Optional<RateLimitListener> of(BeanManager manager) {
    Set<Class<?>> observed = new HashSet<>();
    for (RateLimitEvent sample : samples()) {
      if (manager.resolveObserverMethods(sample).stream().anyMatch(method -> !method.isAsync())) {
        observed.add(sample.getClass());
      }
    }
    return observed.isEmpty()
        ? Optional.empty()
        : Optional.of(new ObserverMethods(manager.getEvent(), observed));
  }

  @Override
  public void on(RateLimitEvent told) {
    if (observed.contains(told.getClass())) {
      event.fire(told);
    }
  }

  /** One event of each class: CDI finds observer methods for an event, not for its class. */
  static Collection<RateLimitEvent> samples() {
    String policy = "sample";
    return List.of(
        new RateLimitEvent.Allowed(policy, Optional.empty(), Optional.empty(), 1),
        new RateLimitEvent.Refused(
            policy, Optional.empty(), Optional.empty(), 1, policy, Optional.of(Duration.ZERO)),
        new RateLimitEvent.ShadowRefused(
            policy, Optional.empty(), Optional.empty(), 1, policy, Optional.of(Duration.ZERO)),
        new RateLimitEvent.NearLimit(policy, Optional.empty(), Optional.empty(), policy, 1, 1),
        new RateLimitEvent.Barred(policy, Optional.empty(), Optional.empty(), 1),
        new RateLimitEvent.StoreTrouble(policy, false),
        new RateLimitEvent.AskedForMore(new RateLimitEvent.StoreTrouble(policy, false)),
        new RateLimitEvent.ShadowTrouble(policy));
  }
}
