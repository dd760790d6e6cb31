package dev.comporta.server.contract;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.api.RateLimits;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.util.List;

/** Policies of every kind, and what their operator does with them. */
@Path("policies")
public class PoliciesResource {

  @Context private Configuration configuration;

  /** One limit that is enforced, and a tighter one that only watches. */
  @GET
  @Path("watched")
  @RateLimited(
      limits = {@Limit("5/1h"), @Limit(value = "1/1d", shadow = true)},
      policy = "watched")
  public String watched() {
    return "ok";
  }

  /** Watched as a whole, by configuration. */
  @GET
  @Path("shadow")
  @RateLimited(value = "1/1h", policy = "shadowed")
  public String shadow() {
    return "ok";
  }

  /** Switched off by configuration. */
  @GET
  @Path("off")
  @RateLimited(value = "1/1h", policy = "switched-off")
  public String off() {
    return "ok";
  }

  /** Has tiers, by configuration. */
  @GET
  @Path("tiers")
  @RateLimited(value = "2/1h", policy = "tiered")
  public String tiers() {
    return "ok";
  }

  /** Exempt by configuration, whatever is written here. */
  @GET
  @Path("probes/{name}")
  @RateLimited(value = "1/1h", policy = "probed")
  public String probe(@PathParam("name") String name) {
    return name;
  }

  /** Answers OPTIONS by itself. */
  @OPTIONS
  @Path("cors")
  @RateLimited(value = "2/1h", policy = "cors")
  public String cors() {
    return "ok";
  }

  /** An exact log. */
  @GET
  @Path("log")
  @RateLimited(
      limits = @Limit(value = "3/1h", algorithm = Algorithm.SLIDING_WINDOW_LOG),
      policy = "log")
  public String log() {
    return "ok";
  }

  /** A month of the calendar. */
  @GET
  @Path("month")
  @RateLimited(limits = @Limit(value = "3/month", zone = "Europe/Lisbon"), policy = "month")
  public String month() {
    return "ok";
  }

  /** A window in ten segments. */
  @GET
  @Path("segments")
  @RateLimited(
      limits =
          @Limit(
              value = "3/1h",
              algorithm = Algorithm.SLIDING_WINDOW_COUNTER,
              estimate = Estimate.STRICT,
              segments = 10),
      policy = "segments")
  public String segments() {
    return "ok";
  }

  /** Changed while it runs. */
  @GET
  @Path("live")
  @RateLimited(value = "10/1h", policy = "live")
  public String live() {
    return "ok";
  }

  /** Changed while it runs, under load. */
  @GET
  @Path("loaded")
  @RateLimited(value = "100/1d", policy = "loaded")
  public String loaded() {
    return "ok";
  }

  /** Changes the limits of a policy. */
  @POST
  @Path("change/{policy}/{permits}/{window}")
  @RateLimitExempt
  public String change(
      @PathParam("policy") String policy,
      @PathParam("permits") String permits,
      @PathParam("window") String window) {
    RateLimits.of(configuration).change(policy, List.of(permits + "/" + window));
    return "changed";
  }

  /** Takes that back. */
  @POST
  @Path("revert/{policy}")
  @RateLimitExempt
  public String revert(@PathParam("policy") String policy) {
    RateLimits.of(configuration).revert(policy);
    return "reverted";
  }

  /** Forgets what a user has used. */
  @POST
  @Path("reset/{user}")
  @RateLimitExempt
  public String reset(@PathParam("user") String user) {
    RateLimits.of(configuration).reset(user(user));
    return "reset";
  }

  /** Gives a user permits back. */
  @POST
  @Path("grant/{policy}/{user}/{permits}")
  @RateLimitExempt
  public String grant(
      @PathParam("policy") String policy,
      @PathParam("user") String user,
      @PathParam("permits") long permits) {
    RateLimits.of(configuration).grant(policy, user(user), permits);
    return "granted";
  }

  /** Blocks a user for an hour. */
  @POST
  @Path("block/{user}")
  @RateLimitExempt
  public String block(@PathParam("user") String user) {
    RateLimits.of(configuration).block(user(user), Duration.ofHours(1));
    return "blocked";
  }

  /** Ends that. */
  @POST
  @Path("unblock/{user}")
  @RateLimitExempt
  public String unblock(@PathParam("user") String user) {
    RateLimits.of(configuration).unblock(user(user));
    return "unblocked";
  }

  /** For how many seconds more a user is blocked. */
  @GET
  @Path("block/{user}")
  @RateLimitExempt
  public String blocked(@PathParam("user") String user) {
    return RateLimits.of(configuration)
        .blockedFor(user(user))
        .map(left -> Long.toString(left.toSeconds()))
        .orElse("not blocked");
  }

  private static Caller user(String name) {
    return Caller.of("principal", name);
  }
}
