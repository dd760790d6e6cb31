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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets a request pass, or answers it. */
abstract class AdmissionFilter implements ContainerRequestFilter {

  private final Phase phase;

  /* The server injects both before the first request. */
  @Context private @Nullable Configuration configuration;
  @Context private @Nullable ResourceInfo resource;

  AdmissionFilter(Phase phase) {
    this.phase = phase;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (Preflight.is(request)) {
      return;
    }
    LimitedApplication application =
        LimitedApplication.of(Objects.requireNonNull(configuration, "configuration"));
    Resolution resolution = application.resolve(Objects.requireNonNull(resource, "resource"));
    if (resolution instanceof Resolution.Unlimited) {
      return;
    }
    Running running = application.running(configuration);
    RequestContext.leaveOn(request, running.limiter());
    if (resolution instanceof Resolution.Limited limited
        && phase.decides(limited.binding().policy())
        && Admission.of(request).isEmpty()) {
      admit(request, running, limited.binding());
    }
  }

  private static void admit(
      ContainerRequestContext request, Running running, PolicyBinding binding) {
    Admission admission = running.limiter().decide(request, binding);
    admission.leaveOn(request);
    admission
        .refusal()
        .ifPresent(refusal -> request.abortWith(running.refusals().of(refusal, request)));
  }
}
