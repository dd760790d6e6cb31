package dev.comporta.example;

import dev.comporta.server.api.RateLimitExempt;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What monitors and load balancers ask, as often as they like. */
@Path("")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
@RateLimitExempt
public class StatusResource {

  @Inject Catalogue catalogue;

  @Inject
  @ConfigProperty(name = "comporta.store", defaultValue = "memory")
  String store;

  /**
   * What this server is.
   *
   * @param application its name
   * @param books how many books it has
   * @param store where it counts: {@code memory} or {@code redis}
   */
  public record Status(String application, int books, String store) {}

  /**
   * Whether this server can answer.
   *
   * @param status {@code UP}
   */
  public record Health(String status) {}

  /** What this server is. */
  @GET
  @Path("status")
  public Status status() {
    return new Status("comporta-example", catalogue.size(), store);
  }

  /** That it answers is the whole answer. */
  @GET
  @Path("health")
  public Health health() {
    return new Health("UP");
  }
}
