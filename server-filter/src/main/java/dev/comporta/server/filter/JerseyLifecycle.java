package dev.comporta.server.filter;

import dev.comporta.server.limiter.Admission;
import jakarta.ws.rs.core.Application;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On Jersey: stops the start with every fault once all resources have been discovered, and closes
 * the limiter with the application.
 */
final class JerseyLifecycle implements ApplicationEventListener {

  private static final Logger LOG = LoggerFactory.getLogger(JerseyLifecycle.class);

  private final LimitedApplication application;

  JerseyLifecycle(LimitedApplication application) {
    this.application = application;
  }

  /** The application that someone wrote, where Jersey shows the configuration it made of it. */
  static Application unwrapped(Application shown) {
    if (shown instanceof ResourceConfig config && config.getApplication() != shown) {
      return unwrapped(config.getApplication());
    }
    return shown;
  }

  @Override
  public void onEvent(ApplicationEvent event) {
    switch (event.getType()) {
      case INITIALIZATION_FINISHED -> start(event);
      case DESTROY_FINISHED -> application.close();
      default -> {}
    }
  }

  private void start(ApplicationEvent event) {
    event.getRegisteredClasses().forEach(this::discover);
    event.getRegisteredInstances().forEach(resource -> discover(resource.getClass()));
    application.requireNoFaults();
    application.tellWarnings();
    application.showOperations();
    application.running(event.getResourceConfig().getConfiguration());
  }

  /** Jersey itself shows neither locators nor methods that answer no requests. */
  private void discover(Class<?> resource) {
    try {
      application.catalog().discoverAll(resource);
    } catch (LinkageError | TypeNotPresentException unloadable) {
      LOG.warn("Not checked for rate limits, since it does not load: {}", resource.getName());
    }
  }

  /* Jersey runs no response filter after an exception that nothing maps, but it tells the end. */
  @Override
  public @Nullable RequestEventListener onRequest(RequestEvent started) {
    return application.catalog().hasOutcomes() ? new Outcome(application) : null;
  }

  /**
   * Settles one request at its end. What was decided is read once the request has been filtered: at
   * the end of an answer from another thread, Grizzly may have given the request to the next
   * caller.
   */
  private static final class Outcome implements RequestEventListener {

    private final LimitedApplication application;
    private volatile @Nullable Admission admission; // null unless it was decided

    Outcome(LimitedApplication application) {
      this.application = application;
    }

    @Override
    public void onEvent(RequestEvent event) {
      switch (event.getType()) {
        case REQUEST_FILTERED -> admission = Admission.of(event.getContainerRequest()).orElse(null);
        case FINISHED -> settle();
        default -> {}
      }
    }

    private void settle() {
      Admission decided = admission;
      if (decided != null) {
        application.runningStill().ifPresent(still -> still.limiter().settleFailed(decided));
      }
    }
  }
}
