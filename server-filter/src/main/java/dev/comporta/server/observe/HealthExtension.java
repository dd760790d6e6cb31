package dev.comporta.server.observe;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import org.jspecify.annotations.Nullable;

/*
 * How this works, and why. A bean class that CDI finds by itself would not do: without MicroProfile
 * Health it does not load. So the check is added by hand. WildFly looks for checks from its own
 * module, and sees there the beans of the archives of the application, but not those of a jar that
 * is no bean archive, as this one. What archive a bean belongs to is told by its bean class, so a
 * class of the application is named, one that CDI has processed.
 */
/** Makes the health check a bean where MicroProfile Health is. Public for CDI alone. */
public final class HealthExtension implements Extension {

  private volatile @Nullable Class<?> ofApplication; // null until CDI has processed one

  /** For CDI. */
  public HealthExtension() {}

  void remember(@Observes ProcessAnnotatedType<?> type) {
    Class<?> processed = type.getAnnotatedType().getJavaClass();
    if (ofApplication == null
        && processed.getClassLoader() == HealthExtension.class.getClassLoader()) {
      ofApplication = processed;
    }
  }

  void addCheck(@Observes AfterBeanDiscovery discovery) {
    if (Libraries.hasHealth()) {
      Class<?> processed = ofApplication;
      StoreHealthCheck.addTo(discovery, processed == null ? HealthExtension.class : processed);
    }
  }
}
