package dev.comporta.example;

import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimitContext;
import dev.comporta.server.api.RateLimitExempt;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** Tells callers where they stand, and takes nothing for it. */
@Path("limits")
@Produces(MediaType.APPLICATION_JSON)
public class LimitsResource {

  /**
   * A quota in plain numbers, for JSON.
   *
   * @param policy the policy that the limit belongs to
   * @param name the limit as {@code RateLimit} headers name it
   * @param limit the most permits that the caller can have
   * @param remaining permits that the caller could spend now
   * @param windowMillis the span in which all of them come back
   * @param resetAtMillis Unix time at which the quota is whole again
   */
  public record Gate(
      String policy,
      String name,
      long limit,
      long remaining,
      long windowMillis,
      long resetAtMillis) {

    static Gate of(Quota quota) {
      return new Gate(
          quota.policy(),
          quota.name(),
          quota.limit(),
          quota.remaining(),
          quota.window().toMillis(),
          quota.resetAt().toEpochMilli());
    }
  }

  /** The quotas of whoever asks. */
  @GET
  @RateLimitExempt
  public List<Gate> limits(@Context HttpServletRequest request) {
    return RateLimitContext.of(request::getAttribute).quotas().stream().map(Gate::of).toList();
  }
}
