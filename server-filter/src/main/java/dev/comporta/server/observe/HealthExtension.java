package dev.comporta.server.observe;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;

/**
 * Makes the health check a bean where MicroProfile Health is. A bean class in the jar would not do:
 * without that API it does not load. Public for CDI alone.
 */
public final class HealthExtension implements Extension {

  /** For CDI. */
  public HealthExtension() {}

  void addCheck(@Observes AfterBeanDiscovery discovery) {
    if (Libraries.hasHealth()) {
      StoreHealthCheck.addTo(discovery);
    }
  }
}
