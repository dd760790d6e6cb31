package dev.comporta.server.filter;

import dev.comporta.server.limiter.Admission;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Configuration;
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
  private volatile @Nullable Configuration configuration; // null until started

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
    Configuration configured = event.getResourceConfig().getConfiguration();
    this.configuration = configured;
    application.running(configured);
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
    return application.catalog().hasOutcomes() ? this::onEnd : null;
  }

  private void onEnd(RequestEvent event) {
    Configuration started = configuration;
    if (event.getType() == RequestEvent.Type.FINISHED && started != null) {
      Admission.of(event.getContainerRequest())
          .ifPresent(application.running(started).limiter()::settleFailed);
    }
  }
}
