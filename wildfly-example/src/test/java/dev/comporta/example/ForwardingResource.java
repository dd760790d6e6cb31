package dev.comporta.example;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Where {@link ForwardingServlet} forwards to. */
@Path("to")
@RateLimited(value = "10/1h", policy = "forwarded")
public class ForwardingResource {

  /** Answers. */
  @GET
  public String arrived() {
    return "arrived";
  }
}
