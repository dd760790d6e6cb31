package dev.comporta.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.contract.ContractFilters;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.testing.LimitsUnderTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** What is told of a request for which the resource asks for more permits. */
class MorePermitsOverHttpTest {

  private final LimitsUnderTest limits = new LimitsUnderTest();

  /** Asks for more, as the header of the request says. */
  @Path("more")
  public static class More {

    @GET
    @RateLimited(value = "10/1h", policy = "more")
    public String more() {
      return "ok";
    }
  }

  @Test
  void requestIsOneDecisionHoweverOftenItsResourceAsksForMore() {
    ResourceConfig application = new ResourceConfig(More.class, ContractFilters.Spending.class);
    limits.applyTo(application);
    try (JerseyServer server = new JerseyServer(application)) {
      HttpApi api = server.api();

      assertThat(api.get("more", "X-Try-Charge", "4").statusCode()).isEqualTo(200);
      assertThat(api.get("more", "X-Try-Charge", "5").statusCode()).isEqualTo(429);

      assertThat(limits.allowed("more")).hasSize(2);
      assertThat(limits.refused("more")).isEmpty();
      assertThat(limits.events())
          .filteredOn(RateLimitEvent.AskedForMore.class::isInstance)
          .extracting(
              event -> ((RateLimitEvent.AskedForMore) event).answer().getClass().getSimpleName())
          .containsExactly("Allowed", "Refused");
    }
  }
}
