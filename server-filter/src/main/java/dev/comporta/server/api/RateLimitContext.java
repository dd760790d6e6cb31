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
   * The quotas of this caller under every policy that the application has named and that is not
   * off, in the order of their names. Spends nothing and creates nothing. Limits {@linkplain
   * By#EVERYONE for everyone} and limits in shadow mode are left out. Empty if the store cannot be
   * read now.
   */
  List<Quota> quotas();

  /**
   * Charges more than the request was charged so far, or gives back some of that if negative, on
   * every limit of this request: the tokens that a language model used beyond those reserved. What
   * is added may take the caller below nothing, at most by one whole limit: it then waits until
   * that has come back. What is given back goes only into the window that it was taken from, and
   * never beyond what this request was charged. May also be called while the answer is streamed.
   * Does nothing when the store cannot be reached: that is logged, and no error.
   *
   * @throws IllegalStateException if the resource is exempt
   */
  void charge(long permits);

  /**
   * Charges that many permits more on every limit of this request if all of them have so many left;
   * if not, charges none. For a bulk request whose resource has counted its items:
   *
   * <pre>{@code
   * if (!RateLimitContext.of(request::getAttribute).tryCharge(Math.max(items.size() - 1, 0))) {
   *   throw new ClientErrorException(429);
   * }
   * }</pre>
   *
   * <p>The answer 429 then tells when to come back, like any refusal.
   *
   * @param permits at least 0; 0 always passes
   * @throws IllegalStateException if the resource is exempt
   */
  boolean tryCharge(long permits);
}
