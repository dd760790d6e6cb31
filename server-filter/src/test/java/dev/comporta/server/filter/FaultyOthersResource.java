package dev.comporta.server.filter;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.Charge;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.api.RateLimits;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** What the faults of other limiters are looked for in. */
@Path("faults")
public class FaultyOthersResource {

  /** A plain path. */
  @GET
  @Path("three")
  @RateLimited(value = "3/1h", policy = "three")
  public String three() {
    return "ok";
  }

  /** A path with a code to be guessed. */
  @GET
  @Path("codes/{code}")
  @RateLimited(value = "3/1h", policy = "codes")
  public String code(@PathParam("code") String code) {
    return code;
  }

  /** A path that holds everything below it. */
  @GET
  @Path("files/{path: .*}")
  @RateLimited(value = "3/1h", policy = "files")
  public String file(@PathParam("path") String path) {
    return path;
  }

  /** Reserves ten. */
  @GET
  @Path("tokens")
  @RateLimited(value = "100/1h", policy = "tokens", cost = 10)
  public String tokens() {
    return "ok";
  }

  /** Two limits that are written alike only watch. */
  @GET
  @Path("twins")
  @RateLimited(
      limits = {
        @Limit("5/1h"),
        @Limit(value = "2/1h", shadow = true),
        @Limit(value = "2/1h", shadow = true)
      },
      policy = "twins")
  public String twins() {
    return "ok";
  }

  /** No limit but one that only watches. */
  @GET
  @Path("bulk")
  @RateLimited(limits = @Limit(value = "8/1h", shadow = true), policy = "bulk")
  public String bulk() {
    return "ok";
  }

  /** The limit that only watches stands first, and others use it up. */
  @GET
  @Path("watched")
  @RateLimited(
      limits = {@Limit(value = "1/1h", shadow = true, by = By.EVERYONE), @Limit("3/1h")},
      policy = "watched")
  public String watched() {
    return "ok";
  }

  /** Counts failures by name and by address; a success clears the name. */
  @POST
  @Path("login/{status}")
  @RateLimited(
      limits = {
        @Limit(value = "5/1h", keyedBy = LoginName.class),
        @Limit(value = "20/1h", by = By.ADDRESS)
      },
      charge = Charge.FAILURES,
      policy = "login")
  public Response login(
      @PathParam("status") int status,
      @HeaderParam("X-Login") String name,
      @Context Configuration configuration) {
    if (status == 200) {
      RateLimits.of(configuration).reset("login", Caller.of("login", name));
    }
    return Response.status(status).build();
  }

  /** An exact log. */
  @GET
  @Path("log")
  @RateLimited(
      limits = @Limit(value = "6/1m", algorithm = Algorithm.SLIDING_WINDOW_LOG),
      policy = "log")
  public String log() {
    return "ok";
  }

  /** Windows that begin with the minute. */
  @GET
  @Path("fixed")
  @RateLimited(
      limits = @Limit(value = "6/1m", algorithm = Algorithm.FIXED_WINDOW),
      policy = "fixed")
  public String fixed() {
    return "ok";
  }

  /** Days of the calendar. */
  @GET
  @Path("day")
  @RateLimited(limits = @Limit(value = "6/day", zone = "Europe/Lisbon"), policy = "day")
  public String day() {
    return "ok";
  }

  /** Segments that are estimated by what was seen. */
  @GET
  @Path("observed")
  @RateLimited(
      limits =
          @Limit(
              value = "6/1m",
              algorithm = Algorithm.SLIDING_WINDOW_COUNTER,
              estimate = Estimate.OBSERVED,
              segments = 10),
      policy = "observed")
  public String observed() {
    return "ok";
  }

  /** Segments that never admit more than the limit. */
  @GET
  @Path("strict")
  @RateLimited(
      limits =
          @Limit(
              value = "6/1m",
              algorithm = Algorithm.SLIDING_WINDOW_COUNTER,
              estimate = Estimate.STRICT,
              segments = 10),
      policy = "strict")
  public String strict() {
    return "ok";
  }

  /** Two limits, which will be one. */
  @GET
  @Path("changing")
  @RateLimited(
      value = {"10/1m", "100/1h"},
      policy = "changing")
  public String changing() {
    return "ok";
  }

  /** By address now, and decided before anyone logs in. */
  @GET
  @Path("by-address")
  @RateLimited(limits = @Limit(value = "2/1h", by = By.ADDRESS), policy = "by-address")
  public String byAddress() {
    return "ok";
  }

  /** By caller now, and decided after the login. */
  @GET
  @Path("by-caller")
  @RateLimited(value = "2/1h", policy = "by-caller")
  public String byCaller() {
    return "ok";
  }

  /** Is answered when its application is gone. */
  @GET
  @Path("undeploys")
  @RateLimited(value = "3/1h", charge = Charge.FAILURES, policy = "undeploys")
  public String undeploys(@Context Configuration configuration) {
    LimitedApplication.of(configuration).close();
    return "ok";
  }

  /** The name that somebody tries to log in with. */
  public static final class LoginName implements CallerIdentifier {

    @Override
    public Optional<Caller> identify(ContainerRequestContext request) {
      return Optional.ofNullable(request.getHeaderString("X-Login"))
          .map(name -> Caller.of("login", name));
    }
  }
}
