package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.http.ExposedHeaders;
import dev.comporta.server.http.RetryAfter;
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
 * Tells the caller where it stands, on every answer to a request that was decided: errors and
 * refusals too. Asks no store. Public for Jakarta REST alone; not to be registered.
 */
@RateLimited
public class RateLimitHeadersFilter implements ContainerResponseFilter {

  /**
   * Response filters run from the highest number down. This one comes late, so that it adds to what
   * a CORS filter of the application exposes.
   */
  static final int PRIORITY = 100;

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
    Map<String, String> headers =
        LimitedApplication.of(Objects.requireNonNull(configuration, "configuration"))
            .headers()
            .of(admission.limits(), admission.verdict());
    headers.forEach(response.getHeaders()::putSingle);
    if (request.getHeaderString("Origin") != null) {
      expose(headers.keySet(), response);
    }
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
