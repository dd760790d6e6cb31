package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Three policies that must not be deployed. */
@Path("faulty")
public class FaultyResource {

  /** Admits nobody. */
  @GET
  @Path("zero")
  @RateLimited("0/1m")
  public String zero() {
    return "ok";
  }

  /** Never passes. */
  @GET
  @Path("costly")
  @RateLimited(value = "5/1m", cost = 6)
  public String costly() {
    return "ok";
  }

  /** Names a policy that has no limits anywhere. */
  @GET
  @Path("unknown")
  @RateLimited(policy = "serach")
  public String unknown() {
    return "ok";
  }
}
