package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimitContext;
import dev.comporta.server.limiter.RequestContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a {@link RateLimitContext} on requests to exempt resource methods, and decides nothing.
 * Public for Jakarta REST alone; not to be registered.
 */
public class ExemptionFilter implements ContainerRequestFilter {

  @Context private @Nullable Configuration configuration;

  /** For Jakarta REST. */
  public ExemptionFilter() {}

  @Override
  public void filter(ContainerRequestContext request) {
    Configuration injected = Objects.requireNonNull(configuration, "configuration");
    RequestContext.leaveOn(request, LimitedApplication.of(injected).running(injected).limiter());
  }
}
