package dev.comporta.server.contract;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Limits of every form, each with a policy of its own. */
@Path("limits")
public class LimitsResource {

  /** A hundred. */
  @GET
  @Path("hundred")
  @RateLimited(value = "100/1d", policy = "hundred")
  public String hundred() {
    return "ok";
  }

  /** For a race. */
  @GET
  @Path("race")
  @RateLimited(value = "100/1d", policy = "race")
  public String race() {
    return "ok";
  }

  /** For HEAD and OPTIONS. */
  @GET
  @Path("three")
  @RateLimited("3/1h")
  public String three() {
    return "ok";
  }

  /** For what is refused. */
  @POST
  @Path("one")
  @RateLimited(value = "1/1h", policy = "one")
  public String one() {
    return "ok";
  }

  /** Two that name one policy: this and {@link #sharedToo()}. */
  @GET
  @Path("shared")
  @RateLimited(value = "4/1h", policy = "shared")
  public String shared() {
    return "ok";
  }

  /** The other. */
  @GET
  @Path("shared-too")
  @RateLimited(value = "4/1h", policy = "shared")
  public String sharedToo() {
    return "ok";
  }

  /** An expensive one. */
  @GET
  @Path("report")
  @RateLimited(value = "25/1h", policy = "report", cost = 10)
  public String report() {
    return "ok";
  }

  /** Its cheap sibling. */
  @GET
  @Path("report-page")
  @RateLimited(value = "25/1h", policy = "report")
  public String reportPage() {
    return "ok";
  }

  /** Two limits at once. */
  @GET
  @Path("several")
  @RateLimited(
      value = {"20/1h", "3/1d"},
      policy = "several")
  public String several() {
    return "ok";
  }

  /** One for each caller, and one for all of them. */
  @GET
  @Path("everyone")
  @RateLimited(
      limits = {@Limit("2/1h"), @Limit(value = "5/1h", by = By.EVERYONE)},
      policy = "everyone")
  public String everyone() {
    return "ok";
  }

  /** For all alone. */
  @GET
  @Path("everyone-alone")
  @RateLimited(limits = @Limit(value = "2/1h", by = By.EVERYONE), policy = "everyone-alone")
  public String everyoneAlone() {
    return "ok";
  }

  /** A bucket of 6 a minute. */
  @GET
  @Path("bucket")
  @RateLimited(value = "6/1m", policy = "bucket")
  public String bucket() {
    return "ok";
  }

  /** A window of 6 a minute. */
  @GET
  @Path("window")
  @RateLimited(
      limits = @Limit(value = "6/1m", algorithm = Algorithm.SLIDING_WINDOW_COUNTER),
      policy = "window")
  public String window() {
    return "ok";
  }
}
