package dev.comporta.server.contract;

import dev.comporta.server.api.RateLimitExempt;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Out of all limits, and says so. */
@Path("exempt")
@RateLimitExempt
public class ExemptResource {

  /** 200. */
  @GET
  public String get() {
    return "ok";
  }
}
