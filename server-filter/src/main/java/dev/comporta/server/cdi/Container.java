package dev.comporta.server.cdi;

import dev.comporta.server.api.RateLimitListener;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.CDI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The CDI container of the application, if one runs. Loaded only where the classes of CDI are. */
final class Container {

  private Container() {}

  static <T> Beans.Candidates<T> candidates(Class<T> type) {
    Optional<CDI<Object>> running = running();
    if (running.isEmpty()) {
      return new Beans.Candidates<>(Optional.empty(), 0);
    }
    Instance<T> found = running.get().select(type);
    if (found.isResolvable()) {
      return new Beans.Candidates<>(Optional.of(made(type, found.getHandle())), 1);
    }
    List<Instance.Handle<T>> exact = new ArrayList<>();
    int count = 0;
    for (Instance.Handle<T> handle : found.handles()) {
      count++;
      if (handle.getBean().getBeanClass() == type) {
        exact.add(handle);
      }
    }
    return exact.size() == 1
        ? new Beans.Candidates<>(Optional.of(made(type, exact.get(0))), count)
        : new Beans.Candidates<>(Optional.empty(), count);
  }

  static boolean isRunning() {
    return running().isPresent();
  }

  static <T> List<T> all(Class<T> type) {
    List<T> all = new ArrayList<>();
    running()
        .ifPresent(
            cdi -> {
              for (Instance.Handle<T> handle : cdi.select(type).handles()) {
                all.add(made(handle.getBean().getBeanClass(), handle));
              }
            });
    return all;
  }

  static List<Class<?>> classesOf(Class<?> type) {
    List<Class<?>> classes = new ArrayList<>();
    running()
        .ifPresent(
            cdi -> {
              for (Instance.Handle<?> handle : cdi.select(type).handles()) {
                classes.add(handle.getBean().getBeanClass());
              }
            });
    return classes;
  }

  static Optional<RateLimitListener> observerMethods() {
    return running().map(CDI::getBeanManager).flatMap(ObserverMethods::of);
  }

  private static <T> T made(Class<?> type, Instance.Handle<T> handle) {
    try {
      return handle.get();
    } catch (RuntimeException | LinkageError failure) {
      throw Beans.notMade(type, failure);
    }
  }

  /* The API may be there without a container: on a class path, or before one has started. */
  private static Optional<CDI<Object>> running() {
    try {
      CDI<Object> current = CDI.current();
      BeanManager manager = current.getBeanManager();
      return manager == null ? Optional.empty() : Optional.of(current);
    } catch (IllegalStateException none) {
      return Optional.empty();
    }
  }
}
