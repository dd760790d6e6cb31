package dev.comporta.example;

import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** Reports, which are dear: each takes ten permits, of a minute and of a day. */
@Path("reports")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class ReportsResource {

  private static final int YEAR_OF_THE_EARTHQUAKE = 1755;

  @Inject Catalogue catalogue;

  /** The report of a year, written with four digits. */
  @GET
  @Path("{year}")
  @RateLimited(
      policy = "reports",
      limits = {@Limit("100/1m"), @Limit(value = "2000/day", zone = "Europe/Lisbon")},
      cost = 10)
  public Report report(@PathParam("year") String text) {
    if (!text.matches("[0-9]{4}")) {
      throw new ProblemException(Problem.badRequest("a year has four digits, such as 1888"));
    }
    int year = Integer.parseInt(text);
    if (year == YEAR_OF_THE_EARTHQUAKE) {
      throw new ProblemException(
          Problem.unavailable("the archive of 1755 was lost in the Lisbon earthquake"));
    }
    List<Book> books = catalogue.publishedUntil(year);
    return new Report(
        year, books.size(), books.stream().map(Book::author).distinct().sorted().toList());
  }
}
