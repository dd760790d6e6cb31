package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.InvalidPolicyException;
import dev.comporta.server.policy.PolicyFault;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every annotated class and the configuration before a web application starts, on any server
 * with servlets, and stops the deployment with all faults in one message. Jakarta REST itself has
 * no such hook. Public for the servlet container alone.
 */
@HandlesTypes({Application.class, Path.class, RateLimited.class, RateLimitExempt.class})
public final class ServletStartup implements ServletContainerInitializer {

  private static final Logger LOG = LoggerFactory.getLogger(ServletStartup.class);

  private static final List<String> SERVERS =
      List.of("org.glassfish.jersey.", "org.jboss.resteasy.", "org.apache.cxf.");

  /** For the servlet container. */
  public ServletStartup() {}

  /**
   * Checks those classes.
   *
   * @param annotated what the container found; null if that is nothing
   * @throws InvalidPolicyException if anything is wrong
   */
  @Override
  public void onStartup(@Nullable Set<Class<?>> annotated, ServletContext context) {
    Set<Class<?>> found = annotated == null ? Set.of() : annotated;
    List<LimitedApplication> checks =
        applications(found).stream().map(application -> checked(application, found)).toList();
    requireNoFaults(checks, found);
    checks.forEach(LimitedApplication::tellWarnings);
    ServletStop.addTo(context);
    checks.forEach(LimitedApplication::showOperations);
    checks.forEach(check -> ServletStop.closeAtUndeploy(context, check));
  }

  /* Without any, as where web.xml declares one by a name alone, one is checked unnamed. */
  private static List<Optional<Class<?>>> applications(Set<Class<?>> found) {
    List<Optional<Class<?>>> applications = new ArrayList<>();
    sorted(found)
        .filter(ServletStartup::isApplication)
        .forEach(type -> applications.add(Optional.of(type)));
    return applications.isEmpty() ? List.of(Optional.empty()) : applications;
  }

  /* Of those who deploy: the servers' own, such as ResourceConfig, are bases to build on. */
  private static boolean isApplication(Class<?> type) {
    String name = type.getName();
    return Application.class.isAssignableFrom(type)
        && !Modifier.isAbstract(type.getModifiers())
        && SERVERS.stream().noneMatch(name::startsWith);
  }

  private static LimitedApplication checked(Optional<Class<?>> application, Set<Class<?>> found) {
    LimitedApplication check = LimitedApplication.read(application);
    sorted(found).filter(ServletStartup::mayBeResource).forEach(type -> discover(check, type));
    return check;
  }

  /* A container gives no order, and messages should not differ from one start to the next. */
  private static Stream<Class<?>> sorted(Set<Class<?>> found) {
    return found.stream().sorted(Comparator.comparing(Class::getName));
  }

  /*
   * Which application has which resources is not known here, so each is checked with all. What only
   * some of the applications find wrong with a resource may be fine where it belongs; what is wrong
   * with an application itself is not. With several, two places that state different limits for one
   * policy may belong to different ones, which share no policies: that is a warning here, and a
   * fault when one of them turns out to have both.
   */
  private static void requireNoFaults(List<LimitedApplication> checks, Set<Class<?>> found) {
    Set<PolicyFault> conflicts = checks.size() > 1 ? conflicts(checks) : Set.of();
    conflicts.forEach(conflict -> LOG.warn("Unless of different applications: {}", conflict));
    List<List<PolicyFault>> ofEach =
        checks.stream()
            .map(ServletStartup::faults)
            .map(some -> some.stream().filter(fault -> !conflicts.contains(fault)).toList())
            .toList();
    List<PolicyFault> faults =
        ofEach.stream()
            .flatMap(List::stream)
            .distinct()
            .filter(
                fault ->
                    isOfApplication(fault, found)
                        || ofEach.stream().allMatch(some -> some.contains(fault)))
            .toList();
    if (!faults.isEmpty()) {
      throw new InvalidPolicyException(faults);
    }
  }

  private static Set<PolicyFault> conflicts(List<LimitedApplication> checks) {
    return checks.stream()
        .flatMap(check -> check.catalog().conflicts().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static List<PolicyFault> faults(LimitedApplication check) {
    try {
      check.requireNoFaults();
      return List.of();
    } catch (InvalidPolicyException invalid) {
      return invalid.faults();
    }
  }

  private static boolean isOfApplication(PolicyFault fault, Set<Class<?>> found) {
    return found.stream()
        .filter(Application.class::isAssignableFrom)
        .anyMatch(type -> type.getName().equals(fault.place()));
  }

  /*
   * An interface or an abstract class is no resource: it may belong to a client. What it declares is
   * checked with the class that implements it.
   */
  private static boolean mayBeResource(Class<?> type) {
    return !type.isInterface()
        && !Modifier.isAbstract(type.getModifiers())
        && !Application.class.isAssignableFrom(type);
  }

  private static void discover(LimitedApplication check, Class<?> type) {
    try {
      check.catalog().discoverAll(type);
    } catch (LinkageError | TypeNotPresentException unloadable) {
      LOG.warn("Not checked for rate limits, since it does not load: {}", type.getName());
    }
  }
}
