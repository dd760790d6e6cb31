package dev.comporta.server.contract;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Soon refuses everyone. */
@Path("bodies")
public class BodiesResource {

  /** 200, once. */
  @GET
  @Path("none")
  @RateLimited(value = "1/1d", policy = "bodies")
  public String none() {
    return "ok";
  }
}
