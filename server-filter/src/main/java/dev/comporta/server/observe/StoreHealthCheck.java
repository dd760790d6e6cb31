package dev.comporta.server.observe;

import dev.comporta.server.observe.StoreStatus.Condition;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;

/**
 * Readiness of the limiter: {@code DOWN} only while a store has been unusable since the start.
 * Loaded only where MicroProfile Health is.
 */
final class StoreHealthCheck implements HealthCheck {

  private static final String NAME = "comporta";

  static void addTo(AfterBeanDiscovery discovery, Class<?> beanClass) {
    discovery.addBean(new StoreHealthCheckBean(beanClass));
  }

  @Override
  public HealthCheckResponse call() {
    Map<String, Object> data = new TreeMap<>();
    Status status = Status.UP;
    for (StoreStatus store : ShownStores.here()) {
      Condition condition = store.condition();
      data.put(store.application() + ".store", store.isShared() ? "shared" : "memory");
      data.put(store.application() + ".condition", condition.name().toLowerCase(Locale.ROOT));
      if (condition == Condition.UNUSABLE) {
        status = Status.DOWN;
      }
    }
    return new HealthCheckResponse(
        NAME, status, data.isEmpty() ? Optional.empty() : Optional.of(data));
  }
}
