package dev.comporta.server.api;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;

/**
 * What an application can ask of the limiter at run time. Thread-safe; one per application.
 *
 * <p>A resource gets it from the runtime, on any Jakarta REST server:
 *
 * <pre>{@code
 * @Context Providers providers;
 * …
 * RateLimits limits = providers.getContextResolver(RateLimits.class, MediaType.WILDCARD_TYPE)
 *     .getContext(RateLimits.class);
 * }</pre>
 */
public interface RateLimits {

  /**
   * The quotas of the caller of this request under every policy that has a name, in the order of
   * policy names. Spends nothing and creates nothing. Limits {@linkplain By#EVERYONE for everyone}
   * are left out.
   */
  List<Quota> peek(ContainerRequestContext request);
}
