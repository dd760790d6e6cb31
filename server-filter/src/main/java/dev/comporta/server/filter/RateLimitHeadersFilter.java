package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.http.ExposedHeaders;
import dev.comporta.server.http.Refusal;
import dev.comporta.server.http.RetryAfter;
import dev.comporta.server.limiter.Admission;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settles what a request was charged by what became of it, and tells the caller where it stands, on
 * every answer to a request that was decided: errors and refusals too. Asks the store only where
 * something is given back. Public for Jakarta REST alone; not to be registered.
 */
@RateLimited
public class RateLimitHeadersFilter implements ContainerResponseFilter {

  /**
   * Response filters run from the highest number down. This one comes late, so that it adds to what
   * a CORS filter of the application exposes.
   */
  static final int PRIORITY = 100;

  private static final int TOO_MANY_REQUESTS = 429;

  @Context private @Nullable Configuration configuration;

  /** For Jakarta REST. */
  public RateLimitHeadersFilter() {}

  /** The same, for resource methods that Jakarta REST does not bind by name. */
  public static class Unnamed extends RateLimitHeadersFilter {

    /** For Jakarta REST. */
    public Unnamed() {}
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Admission.of(request).ifPresent(admission -> tell(admission, request, response));
  }

  private void tell(
      Admission admission, ContainerRequestContext request, ContainerResponseContext response) {
    LimitedApplication application =
        LimitedApplication.of(Objects.requireNonNull(configuration, "configuration"));
    application.runningStill().ifPresent(still -> still.limiter().settle(admission, response));
    Map<String, String> headers = admission.headers(application.headers());
    headers.forEach((name, value) -> response.getHeaders().put(name, single(value)));
    if (response.getStatus() == TOO_MANY_REQUESTS
        && !response.getHeaders().containsKey(RetryAfter.HEADER)) {
      admission.refusal().ifPresent(refusal -> explain(refusal, response));
    }
    if (request.getHeaderString("Origin") != null) {
      expose(headers.keySet(), response);
    }
  }

  /*
   * As putSingle does, which looks a name up twice: on Jersey each look-up makes a copy of the name in
   * lower case. Filters that come later may add to the list.
   */
  private static List<Object> single(String value) {
    List<Object> values = new ArrayList<>(1);
    values.add(value);
    return values;
  }

  /* A resource that could not charge what it needed answers 429 by itself, without the time. */
  private static void explain(Refusal refusal, ContainerResponseContext response) {
    refusal.headers().forEach(response.getHeaders()::putSingle);
  }

  private static void expose(Iterable<String> names, ContainerResponseContext response) {
    List<String> exposed = new ArrayList<>();
    names.forEach(exposed::add);
    if (response.getHeaders().containsKey(RetryAfter.HEADER)) {
      exposed.add(RetryAfter.HEADER);
    }
    if (exposed.isEmpty()) {
      return;
    }
    List<String> already = response.getStringHeaders().get(ExposedHeaders.HEADER);
    response
        .getHeaders()
        .putSingle(
            ExposedHeaders.HEADER,
            ExposedHeaders.merge(already == null ? List.of() : already, exposed));
  }
}
