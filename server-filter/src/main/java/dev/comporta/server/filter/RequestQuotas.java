package dev.comporta.server.filter;

import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimitContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;

/** The context of one request. Asks nobody before it is asked. */
final class RequestQuotas implements RateLimitContext {

  private final ContainerRequestContext request;
  private final Limiter limiter;

  private RequestQuotas(ContainerRequestContext request, Limiter limiter) {
    this.request = request;
    this.limiter = limiter;
  }

  /** Leaves a context on the request, unless there is one. */
  static void leaveOn(ContainerRequestContext request, Limiter limiter) {
    if (request.getProperty(PROPERTY) == null) {
      request.setProperty(PROPERTY, new RequestQuotas(request, limiter));
    }
  }

  @Override
  public List<Quota> quotas() {
    return limiter.quotas(request);
  }

  @Override
  public void charge(long permits) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public boolean tryCharge(long permits) {
    throw new UnsupportedOperationException("not yet");
  }
}
