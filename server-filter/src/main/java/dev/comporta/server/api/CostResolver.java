package dev.comporta.server.api;

import jakarta.ws.rs.container.ContainerRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a request costs before it is decided: the rows that it asks for, the items of a
 * bulk request.
 *
 * <pre>{@code
 * public class BatchCost implements CostResolver {
 *   public long cost(ContainerRequestContext request) {
 *     return CostResolver.header(request, "X-Batch-Size", 1);
 *   }
 * }
 * }</pre>
 *
 * <p>An implementation is a CDI bean, or has a constructor without parameters. It is called once
 * per limited request, from many threads at once, and must not read the entity: a resource that
 * learns the cost from the entity charges it with {@link RateLimitContext#tryCharge}. A result
 * below 1 counts as 1. A result above a limit can never pass. One that throws fails the request,
 * unless all limits are in shadow mode: then it passes, and they are not asked.
 */
@FunctionalInterface
public interface CostResolver {

  /** Permits that this request takes from each limit. */
  long cost(ContainerRequestContext request);

  /**
   * The whole number in a header; the fallback if it is absent or no number from 1 to 2 147 483
   * 647.
   */
  static long header(ContainerRequestContext request, String name, long fallback) {
    return number(request.getHeaderString(name), fallback);
  }

  /**
   * The whole number in a query parameter; the fallback if it is absent or no number from 1 to 2
   * 147 483 647.
   */
  static long queryParameter(ContainerRequestContext request, String name, long fallback) {
    return number(request.getUriInfo().getQueryParameters().getFirst(name), fallback);
  }

  private static long number(@Nullable String text, long fallback) {
    if (text == null || !text.matches("0{0,9}[1-9][0-9]{0,9}")) {
      return fallback;
    }
    long number = Long.parseLong(text);
    return number <= Integer.MAX_VALUE ? number : fallback;
  }
}
