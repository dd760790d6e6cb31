package dev.comporta.example;

import dev.comporta.server.api.RateLimited;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.io.IOException;

/** Hands a request on to another resource, which is limited too. */
@Path("")
@RateLimited(value = "10/1h", policy = "forwarded")
public class ForwardingResource {

  /** Forwards to {@link #arrived()}. */
  @GET
  @Path("from")
  public void from(@Context HttpServletRequest request, @Context HttpServletResponse response)
      throws ServletException, IOException {
    request.getRequestDispatcher("/forwards/to").forward(request, response);
  }

  /** Where it arrives. */
  @GET
  @Path("to")
  public String arrived() {
    return "arrived";
  }
}
