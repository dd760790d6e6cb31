package dev.comporta.server.observe;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.cdi.Beans;
import dev.comporta.server.cdi.Registry;
import dev.comporta.server.store.MicrosClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All who want to know what one Jakarta REST application decides: its listeners, its CDI observer
 * methods, the meters. Thread-safe.
 *
 * <pre>{@code
 * if (!observers.isEmpty()) {
 *   observers.tell(new RateLimitEvent.StoreTrouble(policy.name(), false));
 * }
 * }</pre>
 */
public final class Observers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  private final List<GuardedListener> listeners;
  private final List<Registry.Registration> closed;

  private Observers(
      List<RateLimitListener> listeners, List<Registry.Registration> closed, MicrosClock clock) {
    this.listeners =
        listeners.stream().map(listener -> new GuardedListener(listener, clock)).toList();
    this.closed = List.copyOf(closed);
  }

  /**
   * Collects everyone, and shows the store to meters and health until it is closed. To be called
   * when the application starts. What cannot be used is logged and left out: seeing less is better
   * than not starting.
   *
   * @param more listeners, beside those that are found
   * @param clock tells when a failure may be logged again
   */
  public static Observers open(StoreStatus store, List<RateLimitListener> more, MicrosClock clock) {
    List<RateLimitListener> listeners = new ArrayList<>(more);
    listeners.addAll(listeners());
    List<Registry.Registration> closed = new ArrayList<>();
    closed.add(ShownStores.add(store));
    meters(store)
        .ifPresent(
            meters -> {
              listeners.add(meters);
              closed.add(meters::close);
            });
    return new Observers(listeners, closed, clock);
  }

  /** These alone. */
  public static Observers of(List<RateLimitListener> listeners, MicrosClock clock) {
    return new Observers(listeners, List.of(), clock);
  }

  /** Whether nobody listens, so that no event has to be made. */
  public boolean isEmpty() {
    return listeners.isEmpty();
  }

  /**
   * Tells everyone. Throws nothing that a listener throws, except a {@link VirtualMachineError}.
   */
  public void tell(RateLimitEvent event) {
    for (GuardedListener listener : listeners) {
      listener.tell(event);
    }
  }

  /** Shows nothing any more. Closing twice is harmless. */
  @Override
  public void close() {
    closed.forEach(Registry.Registration::close);
  }

  private static List<RateLimitListener> listeners() {
    List<RateLimitListener> listeners = new ArrayList<>();
    List<Class<?>> beanClasses = new ArrayList<>();
    orWithout(
        "beans that listen",
        () -> {
          beanClasses.addAll(Beans.classesOf(RateLimitListener.class));
          listeners.addAll(Beans.all(RateLimitListener.class));
        });
    orWithout("observer methods", () -> Beans.observerMethods().ifPresent(listeners::add));
    orWithout(
        "services that listen",
        () ->
            ServiceLoader.load(RateLimitListener.class).stream()
                .filter(service -> !beanClasses.contains(service.type()))
                .forEach(
                    service ->
                        orWithout(service.type().getName(), () -> listeners.add(service.get()))));
    return listeners;
  }

  private static void orWithout(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | ServiceConfigurationError | LinkageError unusable) {
      LOG.warn("Not all are told what is limited: {} cannot be used", what, unusable);
    }
  }

  private static Optional<Meters> meters(StoreStatus store) {
    if (!Libraries.hasMicrometer()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Meters.ofApplication(store));
    } catch (RuntimeException | LinkageError unusable) {
      LOG.warn("Micrometer is there, but cannot be used: there are no meters", unusable);
      return Optional.empty();
    }
  }
}
