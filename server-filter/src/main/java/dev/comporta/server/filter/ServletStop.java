package dev.comporta.server.filter;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes the limiters of a web application when it is undeployed. {@link ServletStartup} puts one
 * into each web application, which may hold several Jakarta REST applications.
 */
final class ServletStop implements ServletContextListener {

  private static final String ATTRIBUTE = "dev.comporta.server.stop";

  private final Set<LimitedApplication> applications = ConcurrentHashMap.newKeySet();

  /** Puts a listener into that web application. */
  static void addTo(ServletContext context) {
    ServletStop stop = new ServletStop();
    context.setAttribute(ATTRIBUTE, stop);
    context.addListener(stop);
  }

  /** Doing so again changes nothing. Does nothing where no listener was put. */
  static void closeAtUndeploy(ServletContext context, LimitedApplication application) {
    if (context.getAttribute(ATTRIBUTE) instanceof ServletStop stop) {
      stop.applications.add(application);
    }
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    applications.forEach(LimitedApplication::close);
    applications.clear();
  }
}
