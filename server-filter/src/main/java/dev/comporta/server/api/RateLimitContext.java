package dev.comporta.server.api;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a resource can ask about the limits of the request that it answers. The filter leaves one on
 * each request to a resource that is limited, or exempt by {@link RateLimitExempt}.
 *
 * <p>It is a property of the request, so it is found wherever the server shows these:
 *
 * <pre>{@code
 * @GET
 * @RateLimitExempt
 * public List<Quota> limits(@Context HttpServletRequest request) {
 *   return RateLimitContext.of(request::getAttribute).quotas();
 * }
 * }</pre>
 *
 * <p>On a server without servlets, {@code ContainerRequestContext::getProperty} takes the place of
 * {@code getAttribute}. Valid while the request lasts; not for use by several threads at once.
 */
public interface RateLimitContext {

  /** The name of the request property that holds it. */
  String PROPERTY = "dev.comporta.server.context";

  /**
   * The context of a request, given how to read a property of it.
   *
   * @throws IllegalStateException if there is none, because the resource is neither limited nor
   *     marked exempt
   */
  static RateLimitContext of(Function<String, @Nullable Object> property) {
    if (property.apply(PROPERTY) instanceof RateLimitContext context) {
      return context;
    }
    throw new IllegalStateException(
        "this request has no rate limit context: annotate the resource @RateLimited or"
            + " @RateLimitExempt");
  }

  /**
   * The quotas of this caller under every policy that the application has named, in the order of
   * their names. Spends nothing and creates nothing. Limits {@linkplain By#EVERYONE for everyone}
   * are left out. Empty if the store cannot be read now.
   */
  List<Quota> quotas();
}
