package dev.comporta.example;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A resource with mistakes, which must not be deployed. */
@Path("faulty")
public class FaultyResource {

  /** Costs more than there can ever be. */
  @GET
  @Path("dear")
  @RateLimited(value = "5/1m", cost = 6)
  public String dear() {
    return "dear";
  }

  /** Nobody gives limits to this policy. */
  @GET
  @Path("unknown")
  @RateLimited(policy = "nowhere")
  public String unknown() {
    return "unknown";
  }
}
