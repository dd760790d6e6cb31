package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.InvalidPolicyException;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every annotated class and the configuration before a web application starts, on any server
 * with servlets, and stops the deployment with all faults in one message. Jakarta REST itself has
 * no such hook. Public for the servlet container alone.
 */
@HandlesTypes({Path.class, RateLimited.class, RateLimitExempt.class})
public final class ServletStartup implements ServletContainerInitializer {

  private static final Logger LOG = LoggerFactory.getLogger(ServletStartup.class);

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
    LimitedApplication check = LimitedApplication.read(application(found));
    found.stream().filter(ServletStartup::mayBeResource).forEach(type -> discover(check, type));
    check.requireNoFaults();
    check.tellWarnings();
    ServletStop.addTo(context);
  }

  /*
   * Only one that is annotated is among those found; where there are several, each is checked when
   * Jakarta REST starts it.
   */
  private static Optional<Class<?>> application(Set<Class<?>> found) {
    return found.stream().filter(Application.class::isAssignableFrom).findFirst();
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
