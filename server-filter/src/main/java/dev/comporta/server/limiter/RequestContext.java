package dev.comporta.server.limiter;

import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimitContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;

/** The context of one request. Asks nobody before it is asked. */
public final class RequestContext implements RateLimitContext {

  private final ContainerRequestContext request;
  private final Limiter limiter;

  private RequestContext(ContainerRequestContext request, Limiter limiter) {
    this.request = request;
    this.limiter = limiter;
  }

  /** Leaves a context on the request, unless there is one. */
  public static void leaveOn(ContainerRequestContext request, Limiter limiter) {
    if (request.getProperty(PROPERTY) == null) {
      request.setProperty(PROPERTY, new RequestContext(request, limiter));
    }
  }

  @Override
  public List<Quota> quotas() {
    return limiter.quotas(request);
  }

  @Override
  public void charge(long permits) {
    admission().charge(permits);
  }

  @Override
  public boolean tryCharge(long permits) {
    return admission().tryCharge(permits);
  }

  private Admission admission() {
    return Admission.of(request)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "an exempt request cannot be charged: no limit counts it"));
  }
}
