package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.CostResolver;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.testing.LimitsUnderTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** Code of the application that throws, where only a limit in shadow mode needs it. */
class FaultyShadowsOverHttpTest {

  private final LimitsUnderTest limits = new LimitsUnderTest();

  /** Throws. */
  public static class BrokenKey implements CallerIdentifier {

    @Override
    public Optional<Caller> identify(ContainerRequestContext request) {
      throw new IllegalStateException("no tenants today");
    }
  }

  /** Throws. */
  public static class BrokenCost implements CostResolver {

    @Override
    public long cost(ContainerRequestContext request) {
      throw new IllegalStateException("no prices today");
    }
  }

  /** Limits that only watch, beside others and alone. */
  @Path("shadows")
  public static class Watched {

    @GET
    @Path("key")
    @RateLimited(
        limits = {
          @Limit("2/1h"),
          @Limit(value = "1/1h", keyedBy = BrokenKey.class, shadow = true),
          @Limit(value = "1/1h", shadow = true)
        },
        policy = "key")
    public String key() {
      return "ok";
    }

    @GET
    @Path("cost")
    @RateLimited(
        limits = @Limit(value = "1/1h", shadow = true),
        costBy = BrokenCost.class,
        policy = "cost")
    public String cost() {
      return "ok";
    }

    @GET
    @Path("enforced")
    @RateLimited(limits = @Limit(value = "1/1h", keyedBy = BrokenKey.class), policy = "enforced")
    public String enforced() {
      return "ok";
    }
  }

  private JerseyServer server() {
    ResourceConfig application = new ResourceConfig(Watched.class);
    limits.applyTo(application);
    return new JerseyServer(application);
  }

  @Test
  void limitThatOnlyWatchesIsLeftOutWhenItsKeyThrowsAndTheOthersDecide() {
    try (JerseyServer server = server()) {
      HttpApi api = server.api();

      assertThat(only(api.get("shadows/key"), "X-RateLimit-Remaining")).isEqualTo("1");
      assertThat(api.statuses(2, "shadows/key")).containsExactly(200, 429);

      assertThat(limits.allowed("key")).hasSize(2);
      assertThat(limits.refused("key")).hasSize(1);
      assertThat(limits.shadowRefused("key")).hasSize(1);
      assertThat(limits.events()).filteredOn(trouble("key")::equals).hasSize(3);
    }
  }

  @Test
  void costThatThrowsLeavesOutLimitsThatOnlyWatch() {
    try (JerseyServer server = server()) {
      HttpApi api = server.api();

      assertThat(api.statuses(2, "shadows/cost")).containsOnly(200);

      assertThat(limits.shadowRefused("cost")).isEmpty();
      assertThat(limits.events()).filteredOn(trouble("cost")::equals).hasSize(2);
    }
  }

  @Test
  void keyThatThrowsFailsTheRequestWhereItsLimitIsEnforced() {
    try (JerseyServer server = server()) {
      assertThat(server.api().get("shadows/enforced").statusCode()).isEqualTo(500);
    }
  }

  private static RateLimitEvent trouble(String policy) {
    return new RateLimitEvent.ShadowTrouble(policy);
  }
}
