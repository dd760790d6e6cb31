package dev.comporta.server.contract;

import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A class and its methods, both annotated. */
@Path("overridden")
@RateLimited(value = "10/1h", policy = "overridden")
public class OverriddenResource {

  /** As the class says. */
  @GET
  @Path("inherited")
  public String inherited() {
    return "ok";
  }

  /** Its own limits. */
  @GET
  @Path("own")
  @RateLimited("5/1h")
  public String own() {
    return "ok";
  }

  /** The limits of the class, at another cost. */
  @GET
  @Path("cost")
  @RateLimited(cost = 4)
  public String cost() {
    return "ok";
  }

  /** Out of all limits. */
  @GET
  @Path("exempt")
  @RateLimitExempt
  public String exempt() {
    return "ok";
  }
}
