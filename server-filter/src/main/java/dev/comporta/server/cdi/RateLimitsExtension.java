package dev.comporta.server.cdi;

import dev.comporta.server.api.RateLimits;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;

/** Makes {@link RateLimits} a bean, so that it can be injected. Public for CDI alone. */
public final class RateLimitsExtension implements Extension {

  /** For CDI. */
  public RateLimitsExtension() {}

  void addLimits(@Observes AfterBeanDiscovery discovery) {
    discovery
        .<RateLimits>addBean()
        .beanClass(InjectedLimits.class)
        .types(RateLimits.class, Object.class)
        .scope(Dependent.class)
        .createWith(context -> new InjectedLimits());
  }
}
