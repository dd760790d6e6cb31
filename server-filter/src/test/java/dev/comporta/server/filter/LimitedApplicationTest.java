package dev.comporta.server.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.contract.LimitsResource;
import dev.comporta.server.policy.InvalidPolicyException;
import dev.comporta.server.policy.Resolution;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.ws.rs.core.Configuration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

class LimitedApplicationTest {

  private final Configuration configuration = new ResourceConfig().getConfiguration();
  private final LimitedApplication application = LimitedApplication.read(Optional.empty());

  @Test
  void refusesEveryRequestWhenAnythingIsFaultyAndNoHookCouldStopTheDeployment() throws Exception {
    application.catalog().discoverAll(FaultyResource.class);

    assertThatThrownBy(() -> resolve(LimitsResource.class, "hundred"))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("3 fault(s)");
    assertThatThrownBy(() -> resolve(LimitsResource.class, "hundred"))
        .isInstanceOf(InvalidPolicyException.class);
  }

  @Test
  void refusesWhatIsFoundFaultyLaterAndNothingElse() throws Exception {
    assertThat(resolve(LimitsResource.class, "hundred")).isInstanceOf(Resolution.Limited.class);

    assertThatThrownBy(() -> resolve(FaultyResource.class, "zero"))
        .isInstanceOf(InvalidPolicyException.class);
    assertThat(resolve(LimitsResource.class, "hundred")).isInstanceOf(Resolution.Limited.class);
  }

  @Test
  void opensOneLimiter() {
    Running running = application.running(configuration);

    assertThat(application.running(configuration)).isSameAs(running);
  }

  @Test
  void staysClosed() {
    application.running(configuration);

    application.close();
    application.close();

    assertClosed();
  }

  @Test
  void opensNothingIfItWasClosedBeforeTheFirstRequest() {
    application.close();

    assertClosed();
  }

  @Test
  void isClosedWhenItsWebApplicationIsUndeployed() {
    List<ServletContextListener> listeners = new ArrayList<>();
    ServletContext context = DeploymentFaultsTest.servletContext(new HashMap<>(), listeners::add);
    ServletStop.addTo(context);
    ServletStop.closeAtUndeploy(context, application);
    application.running(configuration);

    listeners.get(0).contextDestroyed(new ServletContextEvent(context));

    assertClosed();
  }

  private void assertClosed() {
    assertThatThrownBy(() -> application.running(configuration))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the application has been undeployed");
  }

  private Resolution resolve(Class<?> type, String method) throws NoSuchMethodException {
    return application.resolve(type, type.getMethod(method));
  }
}
