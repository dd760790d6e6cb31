package dev.comporta.server.observe;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.InjectionPoint;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Set;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * The bean that is {@link StoreHealthCheck}, in the archive of another class. Loaded only where
 * MicroProfile Health is.
 */
final class StoreHealthCheckBean implements Bean<HealthCheck> {

  private final Class<?> beanClass;

  StoreHealthCheckBean(Class<?> beanClass) {
    this.beanClass = beanClass;
  }

  @Override
  public HealthCheck create(CreationalContext<HealthCheck> context) {
    return new StoreHealthCheck();
  }

  @Override
  public void destroy(HealthCheck check, CreationalContext<HealthCheck> context) {
    context.release();
  }

  @Override
  public Class<?> getBeanClass() {
    return beanClass;
  }

  @Override
  public Set<InjectionPoint> getInjectionPoints() {
    return Set.of();
  }

  @Override
  public Set<Type> getTypes() {
    return Set.of(HealthCheck.class, Object.class);
  }

  @Override
  public Set<Annotation> getQualifiers() {
    return Set.of(Readiness.Literal.INSTANCE, Any.Literal.INSTANCE);
  }

  @Override
  public Class<? extends Annotation> getScope() {
    return Dependent.class;
  }

  /* CDI has null for a bean without a name. */
  @Override
  public @Nullable String getName() {
    return null;
  }

  @Override
  public Set<Class<? extends Annotation>> getStereotypes() {
    return Set.of();
  }

  @Override
  public boolean isAlternative() {
    return false;
  }
}
