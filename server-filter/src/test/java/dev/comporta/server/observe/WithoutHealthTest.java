package dev.comporta.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.cdi.HidingLoader;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Extension;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.Test;

class WithoutHealthTest {

  @ApplicationScoped
  public static class Application {}

  @Test
  void anApplicationStartsAndHasNoCheckWhereMicroProfileHealthIsAbsent() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    HidingLoader bare = new HidingLoader("org.eclipse.microprofile.");
    Thread.currentThread().setContextClassLoader(bare);
    Class<?> application = bare.loadClass(Application.class.getName());
    Class<? extends Extension> extension =
        bare.loadClass(HealthExtension.class.getName()).asSubclass(Extension.class);
    try (WeldContainer started =
        new Weld().setClassLoader(bare).addBeanClasses(application).initialize()) {
      BeanManager manager = started.getBeanManager();

      assertThat(manager.getBeans(application)).hasSize(1);
      assertThat(manager.getExtension(extension)).isNotNull();
      assertThat(manager.getBeans(HealthCheck.class, Readiness.Literal.INSTANCE)).isEmpty();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
