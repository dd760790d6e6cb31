package dev.comporta.server.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.contract.ContractApplication;
import dev.comporta.server.contract.Declarations;
import dev.comporta.server.contract.UnlimitedResource;
import dev.comporta.server.policy.InvalidPolicyException;
import dev.comporta.server.policy.PolicyFault;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextListener;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class DeploymentFaultsTest {

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  private final List<ServletContextListener> listeners = new ArrayList<>();
  private final ServletContext context = servletContext(new HashMap<>(), listeners::add);

  @Test
  void jerseyStopsTheDeploymentWithAllFaultsInOneMessage() {
    settings.set("comporta.polices.search.limits", "100/1m");
    assertNamesAllFour(
        assertThatThrownBy(() -> new JerseyServer(new ResourceConfig(FaultyResource.class))));
  }

  @Test
  void servletContainerStopsTheDeploymentWithAllFaultsInOneMessage() {
    settings.set("comporta.polices.search.limits", "100/1m");
    assertNamesAllFour(
        assertThatThrownBy(
            () -> new ServletStartup().onStartup(Set.of(FaultyResource.class), context)));
    assertThat(listeners).isEmpty();
  }

  /** Its only method is a locator, so Jersey shows no method of it to any filter. */
  @jakarta.ws.rs.Path("locator")
  public static class AnnotatedLocator {

    /** What is meant is to limit the sub-resource. */
    @RateLimited("1/1m")
    @jakarta.ws.rs.Path("part")
    public Declarations.LimitedPart part() {
      return new Declarations.LimitedPart();
    }
  }

  @Test
  void anAnnotatedLocatorStopsTheDeployment() {
    assertThatThrownBy(() -> new JerseyServer(new ResourceConfig(AnnotatedLocator.class)))
        .hasStackTraceContaining("sub-resource LimitedPart")
        .hasStackTraceContaining("AnnotatedLocator#part()");
    assertThatThrownBy(
            () -> new ServletStartup().onStartup(Set.of(AnnotatedLocator.class), context))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("sub-resource LimitedPart");
  }

  @Test
  void servletContainerStartsOurOwnFilters() {
    Set<Class<?>> found =
        Set.of(
            BeforeAuthenticationFilter.class,
            AfterAuthenticationFilter.class,
            RateLimitHeadersFilter.class);

    new ServletStartup().onStartup(found, context);

    assertThat(listeners).hasSize(1);
  }

  @Test
  void servletContainerStartsWhatIsValid() {
    Set<Class<?>> found = new LinkedHashSet<>(ContractApplication.CLASSES);
    found.add(ContractApplication.class);
    found.add(Declarations.LimitedType.class);
    found.add(Declarations.LimitedSuperclass.class);
    found.add(Declarations.ThreeAnHour.class);

    new ServletStartup().onStartup(found, context);

    assertThat(listeners).hasSize(1);
  }

  @Test
  void servletContainerStartsWhereNothingIsAnnotated() {
    assertThatCode(() -> new ServletStartup().onStartup(null, context)).doesNotThrowAnyException();
  }

  /** An application whose own annotation is faulty. */
  @RateLimited("0/1m")
  public static class FirstApplication extends Application {}

  /** Another. */
  @RateLimited("0/2m")
  public static class SecondApplication extends Application {}

  @Test
  void servletContainerChecksEveryAnnotatedApplicationAndTellsEachFaultOnce() {
    settings.set("comporta.polices.search.limits", "100/1m");
    Set<Class<?>> found =
        Set.of(SecondApplication.class, UnlimitedResource.class, FirstApplication.class);

    assertThatThrownBy(() -> new ServletStartup().onStartup(found, context))
        .isInstanceOfSatisfying(
            InvalidPolicyException.class,
            invalid ->
                assertThat(invalid.faults())
                    .extracting(PolicyFault::place)
                    .containsExactly(
                        "comporta.polices.search.limits",
                        FirstApplication.class.getName(),
                        SecondApplication.class.getName()));
  }

  /** An application whose resources need no limits of their own. */
  @RateLimited("9/1m")
  public static class LimitedOne extends Application {}

  /** One whose resources do. */
  @RateLimitExempt
  public static class ExemptOne extends Application {}

  /** Takes the limits of its application. */
  @jakarta.ws.rs.Path("costly")
  public static class Costly {

    /** Twice as much. */
    @GET
    @RateLimited(cost = 2)
    public String get() {
      return "ok";
    }
  }

  @Test
  void servletContainerStartsAResourceThatIsRightInOneOfTheApplications() {
    Set<Class<?>> found = Set.of(ExemptOne.class, LimitedOne.class, Costly.class);

    new ServletStartup().onStartup(found, context);

    assertThat(listeners).hasSize(1);
  }

  /** Of one application. */
  public static class OnlyApplication extends Application {}

  /** Of another. */
  public static class OtherApplication extends Application {}

  /** States limits for a policy. */
  @jakarta.ws.rs.Path("few")
  @RateLimited(value = "5/1m", policy = "same")
  public static class Few {

    /** Takes them. */
    @GET
    public String get() {
      return "ok";
    }
  }

  /** States others, and a cost that these allow. */
  @jakarta.ws.rs.Path("many")
  @RateLimited(value = "50/1m", policy = "same")
  public static class Many {

    /** Costs more than the others would admit. */
    @GET
    @RateLimited(policy = "same", cost = 20)
    public String get() {
      return "ok";
    }
  }

  @Test
  void servletContainerStartsTwoApplicationsThatNameTheirPoliciesAlike() {
    Set<Class<?>> found =
        Set.of(OnlyApplication.class, OtherApplication.class, Few.class, Many.class);

    new ServletStartup().onStartup(found, context);

    assertThat(listeners).hasSize(1);
  }

  @Test
  void oneApplicationMustNotStateDifferentLimitsForOnePolicy() {
    Set<Class<?>> found =
        Set.of(OnlyApplication.class, ResourceConfig.class, Few.class, Many.class);

    assertThatThrownBy(() -> new ServletStartup().onStartup(found, context))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("1 fault(s)")
        .hasMessageContaining("policy 'same' must have the same limits everywhere");
    assertThatThrownBy(() -> new JerseyServer(new ResourceConfig(Few.class, Many.class)))
        .hasStackTraceContaining("policy 'same' must have the same limits everywhere");
  }

  @Test
  void settingsAloneStopTheDeployment() {
    settings.set("comporta.store", "disk");
    assertThatThrownBy(() -> new JerseyServer(new ResourceConfig(UnlimitedResource.class)))
        .hasStackTraceContaining("comporta.store");
  }

  @Test
  void redisWithoutAnAddressStopsTheDeployment() {
    settings.set("comporta.store", "redis");
    assertThatThrownBy(() -> new ServletStartup().onStartup(Set.of(), context))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("comporta.redis");
  }

  @Test
  void anInvalidRedissonFileIsAmongAllFaults(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("redisson.yaml"), "pasword: hunter2secret\n");
    settings.set("comporta.store", "redis", "comporta.redis.config-file", file.toString());
    settings.set("comporta.polices.search.limits", "100/1m");

    assertThatThrownBy(() -> new ServletStartup().onStartup(Set.of(), context))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("2 fault(s)")
        .hasMessageContaining("comporta.polices.search.limits")
        .hasMessageContaining("faulty at line 1: " + file)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aBadRedisAddressIsToldOnce() {
    settings.set("comporta.store", "redis", "comporta.redis.address", "http://host");

    assertThatThrownBy(() -> new ServletStartup().onStartup(Set.of(), context))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("1 fault(s)")
        .hasMessageContaining("comporta.redis.address");
  }

  private static void assertNamesAllFour(AbstractThrowableAssert<?, ?> thrown) {
    thrown.satisfies(
        failure -> {
          Throwable cause = failure;
          while (!(cause instanceof InvalidPolicyException) && cause.getCause() != null) {
            cause = cause.getCause();
          }
          assertThat(cause)
              .isInstanceOf(InvalidPolicyException.class)
              .hasMessageContaining("4 fault(s)")
              .hasMessageContaining("comporta.polices.search.limits")
              .hasMessageContaining("0/1m")
              .hasMessageContaining("FaultyResource#zero")
              .hasMessageContaining("FaultyResource#costly")
              .hasMessageContaining("serach")
              .hasMessageContaining("FaultyResource#unknown");
        });
  }

  /** As much of a servlet context as {@link ServletStop} needs, with a class loader of its own. */
  static ServletContext servletContext(
      Map<String, Object> attributes, Consumer<ServletContextListener> listeners) {
    ClassLoader own = new ClassLoader(DeploymentFaultsTest.class.getClassLoader()) {};
    return servletContext(own, attributes, listeners);
  }

  /** The same with that class loader. */
  static ServletContext servletContext(
      ClassLoader loader,
      Map<String, Object> attributes,
      Consumer<ServletContextListener> listeners) {
    return (ServletContext)
        Proxy.newProxyInstance(
            ServletContext.class.getClassLoader(),
            new Class<?>[] {ServletContext.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
                case "getAttribute" -> {
                  return attributes.get((String) arguments[0]);
                }
                case "getClassLoader" -> {
                  return loader;
                }
                case "addListener" -> listeners.accept((ServletContextListener) arguments[0]);
                default -> throw new UnsupportedOperationException(method.getName());
              }
              return null;
            });
  }
}
