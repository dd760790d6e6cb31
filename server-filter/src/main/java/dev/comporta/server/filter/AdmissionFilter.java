package dev.comporta.server.filter;

import dev.comporta.server.limiter.Admission;
import dev.comporta.server.limiter.RequestContext;
import dev.comporta.server.policy.PolicyBinding;
import dev.comporta.server.policy.Resolution;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets a request pass, or answers it. */
abstract class AdmissionFilter implements ContainerRequestFilter {

  /** The resource method that the phase before has asked for, and left to this one. */
  private static final String LEFT = "dev.comporta.server.target";

  private final Phase phase;

  /* The server injects both before the first request. */
  @Context private @Nullable Configuration configuration;
  @Context private @Nullable ResourceInfo resource;

  AdmissionFilter(Phase phase) {
    this.phase = phase;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (Preflight.is(request) || Admission.of(request).isPresent()) {
      return;
    }
    LimitedApplication application =
        LimitedApplication.of(Objects.requireNonNull(configuration, "configuration"));
    Target target = target(request);
    Resolution resolution = application.resolve(target.type(), target.method());
    if (resolution instanceof Resolution.Unlimited) {
      return;
    }
    Running running = application.running(configuration);
    RequestContext.leaveOn(request, running.limiter());
    if (resolution instanceof Resolution.Limited limited) {
      if (phase.decides(limited.binding().policy())) {
        admit(request, running, limited.binding());
      } else {
        request.setProperty(LEFT, target);
      }
    }
  }

  /*
   * Each question to the injected resource is, on Jersey, a look-up in its container of beans. There
   * the URI knows the resource as well, and is at hand.
   */
  private Target target(ContainerRequestContext request) {
    if (phase == Phase.AFTER_AUTHENTICATION && request.getProperty(LEFT) instanceof Target left) {
      request.removeProperty(LEFT);
      return left;
    }
    ResourceInfo matched =
        request.getUriInfo() instanceof ResourceInfo known
            ? known
            : Objects.requireNonNull(resource, "resource");
    return new Target(matched.getResourceClass(), matched.getResourceMethod());
  }

  /** A resource method, if there is one. */
  private record Target(@Nullable Class<?> type, @Nullable Method method) {}

  private static void admit(
      ContainerRequestContext request, Running running, PolicyBinding binding) {
    Admission admission = running.limiter().decide(request, binding);
    admission.leaveOn(request);
    admission
        .refusal()
        .ifPresent(refusal -> request.abortWith(running.refusals().of(refusal, request)));
  }
}
