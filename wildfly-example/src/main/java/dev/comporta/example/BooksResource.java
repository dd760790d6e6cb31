package dev.comporta.example;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** The books themselves. */
@Path("books")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class BooksResource {

  @Inject Catalogue catalogue;

  /** The books that match. At most 100 in the last minute; configuration gives a tier 1000. */
  @GET
  @RateLimited(
      policy = "search",
      limits = @Limit(value = "100/1m", algorithm = Algorithm.SLIDING_WINDOW_COUNTER))
  public List<Book> search(@QueryParam("q") @DefaultValue("") String words) {
    return catalogue.search(words);
  }

  /** One book. Short bursts are held by one limit, the long run by the other. */
  @GET
  @Path("{id}")
  @RateLimited(
      policy = "book",
      value = {"10/1s", "300/1m"})
  public Book book(@PathParam("id") String id) {
    return catalogue
        .find(id)
        .orElseThrow(() -> new ProblemException(Problem.notFound("there is no book " + id)));
  }
}
