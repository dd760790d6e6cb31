package dev.comporta.server.filter;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Closes the limiters of a web application when it is undeployed. {@link ServletStartup} puts one
 * into each web application, which may hold several Jakarta REST applications.
 */
final class ServletStop implements ServletContextListener {

  /*
   * How this works, and why
   *
   * A limiter is opened while Jakarta REST starts, where nothing leads to the servlet context: a
   * field for it would break the feature where there are no servlets. But the server starts a web
   * application with its class loader as that of the thread, so the limiter finds the listener by
   * it. All is held weakly here: the context holds the listener, and the listener what it closes.
   * So a deployment that failed leaves nothing behind, even if this class outlives it.
   *
   * Where several web applications share one class loader, as embedded ones may, it tells nothing.
   * Then each limiter is put to its listener by the first request, which knows its context.
   */

  private static final String ATTRIBUTE = "dev.comporta.server.stop";

  private static final Map<ClassLoader, List<WeakReference<ServletStop>>> OF_LOADER =
      new WeakHashMap<>();

  private final Set<LimitedApplication> applications = ConcurrentHashMap.newKeySet();

  /** Puts a listener into that web application. */
  static void addTo(ServletContext context) {
    ServletStop stop = new ServletStop();
    context.setAttribute(ATTRIBUTE, stop);
    context.addListener(stop);
    synchronized (OF_LOADER) {
      OF_LOADER
          .computeIfAbsent(context.getClassLoader(), loader -> new ArrayList<>())
          .add(new WeakReference<>(stop));
    }
  }

  /** Doing so again changes nothing. Does nothing where no listener was put. */
  static void closeAtUndeploy(ServletContext context, LimitedApplication application) {
    if (context.getAttribute(ATTRIBUTE) instanceof ServletStop stop) {
      stop.applications.add(application);
    }
  }

  /**
   * The same for the web application that this thread starts. Does nothing if that is not known.
   */
  static void closeAtUndeploy(LimitedApplication application) {
    List<ServletStop> stops = ofLoader(Thread.currentThread().getContextClassLoader());
    if (stops.size() == 1) {
      stops.get(0).applications.add(application);
    }
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    synchronized (OF_LOADER) {
      OF_LOADER.values().forEach(stops -> stops.removeIf(stop -> stop.refersTo(this)));
      OF_LOADER.values().removeIf(List::isEmpty);
    }
    applications.forEach(LimitedApplication::close);
    applications.clear();
  }

  /** Those that are still there. */
  private static List<ServletStop> ofLoader(@Nullable ClassLoader loader) {
    synchronized (OF_LOADER) {
      return OF_LOADER.getOrDefault(loader, List.of()).stream()
          .map(WeakReference::get)
          .filter(Objects::nonNull)
          .toList();
    }
  }
}
