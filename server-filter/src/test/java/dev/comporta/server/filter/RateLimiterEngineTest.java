package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Charge;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.testing.LimitsUnderTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code comporta.redis.engine=rate-limiter} cannot count does not start, nor act later. */
class RateLimiterEngineTest {

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  private final LimitsUnderTest limits = new LimitsUnderTest();

  /** What it cannot count, and a mistake beside. */
  @Path("faulty")
  public static class Faulty {

    @GET
    @RateLimited(
        policy = "several",
        value = {"10/1s", "100/1m"})
    public String several() {
      return "ok";
    }

    @GET
    @Path("login")
    @RateLimited(
        policy = "login",
        limits = @Limit(value = "5/15m", algorithm = Algorithm.SLIDING_WINDOW_LOG),
        charge = Charge.FAILURES)
    public String login() {
      return "ok";
    }

    @GET
    @Path("mistake")
    @RateLimited("ten a minute")
    public String mistake() {
      return "ok";
    }
  }

  /** What it can count. */
  @Path("fit")
  public static class Fit {

    @GET
    @RateLimited(
        policy = "search",
        limits = @Limit(value = "5/1h", algorithm = Algorithm.SLIDING_WINDOW_LOG))
    public String search() {
      return "ok";
    }
  }

  @BeforeEach
  void chooseTheEngine() {
    settings.set(
        "comporta.store", "redis",
        "comporta.redis.address", "redis://127.0.0.1:1",
        "comporta.redis.engine", "rate-limiter");
  }

  @Test
  void stopsTheDeploymentWithEachThingThatItCannotDoAmongAllOtherFaults() {
    assertThatThrownBy(() -> new JerseyServer(new ResourceConfig(Faulty.class)))
        .hasStackTraceContaining("policy 'several' must have one limit, was 2")
        .hasStackTraceContaining("policy 'several' must count with algorithm=sliding-window-log")
        .hasStackTraceContaining("policy 'login' must charge 'always'")
        .hasStackTraceContaining("(comporta.redis.engine)")
        .hasStackTraceContaining("ten a minute");
  }

  @Test
  void settingsThatItCannotCountByDoNotAct() {
    ResourceConfig application = new ResourceConfig(Fit.class);
    limits.applyTo(application);
    try (JerseyServer server = new JerseyServer(application)) {
      HttpApi api = server.api();
      api.get("fit");

      settings.set("comporta.policies.search.limits", "9/1h;algorithm=token-bucket");
      limits.clock().advance(Duration.ofSeconds(30));
      String refused = only(api.get("fit"), "X-RateLimit-Limit");
      settings.set("comporta.policies.search.limits", "7/1h");
      limits.clock().advance(Duration.ofSeconds(30));

      assertThat(refused).isEqualTo("5");
      assertThat(only(api.get("fit"), "X-RateLimit-Limit")).isEqualTo("7");
    }
  }
}
