package dev.comporta.server.contract;

import dev.comporta.server.api.By;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Limits that show who is taken for whom. */
@Path("callers")
public class CallersResource {

  /** For invented API keys. */
  @GET
  @Path("keys")
  @RateLimited("5/1h")
  public String keys() {
    return "ok";
  }

  /** For invented addresses. */
  @GET
  @Path("addresses")
  @RateLimited("5/1h")
  public String addresses() {
    return "ok";
  }

  /** For users. */
  @GET
  @Path("users")
  @RateLimited("2/1h")
  public String users() {
    return "ok";
  }

  /** Failing logins count, since it goes by address alone. */
  @POST
  @Path("login")
  @RateLimited(limits = @Limit(value = "3/1h", by = By.ADDRESS))
  public String login() {
    return "ok";
  }

  /** Is asked by a caller that cannot be identified. */
  @GET
  @Path("broken")
  @RateLimited("5/1h")
  public String broken() {
    return "ok";
  }
}
