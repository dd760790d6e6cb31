package dev.comporta.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.ws.rs.core.Configuration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServletStopTest {

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final Configuration configuration = new ResourceConfig().getConfiguration();
  private final LimitedApplication application = LimitedApplication.read(Optional.empty());

  @AfterEach
  void restoreLoader() {
    Thread.currentThread().setContextClassLoader(before);
  }

  @Test
  void closesWhatWasOpenedAtTheStartAndNeverAsked() {
    WebApplication web = new WebApplication(loader());
    web.start(application);

    web.undeploy();

    assertThat(isClosed(application)).isTrue();
  }

  @Test
  void closesAllApplicationsOfOneWebApplication() {
    WebApplication web = new WebApplication(loader());
    LimitedApplication second = LimitedApplication.read(Optional.empty());
    web.start(application);
    web.start(second);

    web.undeploy();

    assertThat(isClosed(application)).isTrue();
    assertThat(isClosed(second)).isTrue();
  }

  @Test
  void closesNothingOfAnotherWebApplication() {
    WebApplication web = new WebApplication(loader());
    WebApplication other = new WebApplication(loader());
    web.start(application);

    other.undeploy();

    assertThat(isClosed(application)).isFalse();
  }

  @Test
  void closesAfterTheFirstRequestWhereTwoWebApplicationsShareALoader() {
    ClassLoader shared = loader();
    WebApplication web = new WebApplication(shared);
    WebApplication other = new WebApplication(shared);
    web.start(application);
    ServletStop.closeAtUndeploy(web.context, application);

    other.undeploy();
    boolean isClosedByOther = isClosed(application);
    web.undeploy();

    assertThat(isClosedByOther).isFalse();
    assertThat(isClosed(application)).isTrue();
  }

  private boolean isClosed(LimitedApplication asked) {
    try {
      asked.running(configuration);
      return false;
    } catch (IllegalStateException closed) {
      return true;
    }
  }

  private static ClassLoader loader() {
    return new ClassLoader(ServletStopTest.class.getClassLoader()) {};
  }

  /** What a server does with one. */
  private final class WebApplication {

    private final List<ServletContextListener> listeners = new ArrayList<>();
    private final ClassLoader loader;
    private final ServletContext context;

    WebApplication(ClassLoader loader) {
      this.loader = loader;
      this.context = DeploymentFaultsTest.servletContext(loader, new HashMap<>(), listeners::add);
      new ServletStartup().onStartup(null, context);
    }

    void start(LimitedApplication started) {
      Thread.currentThread().setContextClassLoader(loader);
      started.openAtStart(configuration);
      Thread.currentThread().setContextClassLoader(before);
    }

    void undeploy() {
      listeners.forEach(listener -> listener.contextDestroyed(new ServletContextEvent(context)));
    }
  }
}
