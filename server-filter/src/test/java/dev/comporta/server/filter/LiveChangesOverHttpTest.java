package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.api.RateLimits;
import dev.comporta.server.contract.ContractFilters;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.testing.LimitsUnderTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.util.List;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of usage, and of the settings after, when limits change while requests come. */
class LiveChangesOverHttpTest {

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  private final LimitsUnderTest limits = new LimitsUnderTest();

  /** Limits to be changed, and the resources that change them. */
  @Path("changes")
  public static class Changed {

    @GET
    @Path("tiers")
    @RateLimited(value = "3/1h", policy = "tiers")
    public String tiers() {
      return "ok";
    }

    @GET
    @Path("dear")
    @RateLimited(value = "100/1h", policy = "dear", cost = 10)
    public String dear() {
      return "ok";
    }

    /** As failing logins are counted: by address, before anyone is known. */
    @GET
    @Path("login")
    @RateLimited(
        limits = @Limit(value = "3/1h", by = By.ADDRESS, algorithm = Algorithm.SLIDING_WINDOW_LOG),
        policy = "login")
    public String login() {
      return "ok";
    }

    @POST
    @Path("login/{limit}")
    @RateLimitExempt
    public String change(@PathParam("limit") String limit, @Context Configuration configuration) {
      RateLimits.of(configuration).change("login", List.of(limit.replace('-', '/')));
      return "changed";
    }

    @POST
    @Path("reset/{user}")
    @RateLimitExempt
    public String reset(@PathParam("user") String user, @Context Configuration configuration) {
      RateLimits.of(configuration).reset("tiers", Caller.of("principal", user));
      return "reset";
    }
  }

  private JerseyServer server() {
    ResourceConfig application =
        new ResourceConfig(Changed.class, ContractFilters.Authentication.class);
    limits.applyTo(application);
    return new JerseyServer(application);
  }

  @Test
  void resetForgetsWhatEachTierHadUsedBeforeItsWindowBecameThatOfTheOthers() {
    settings.set(
        "comporta.tiers.premium.roles", "gold",
        "comporta.policies.tiers.tiers.premium.limits", "3/3h");
    try (JerseyServer server = server()) {
      HttpApi api = server.api();
      api.statuses(3, "changes/tiers", "X-User", "gold-ann");
      api.get("changes/tiers", "X-User", "bob");
      settings.set(
          "comporta.policies.tiers.limits", "3/2h",
          "comporta.policies.tiers.tiers.premium.limits", "3/2h");
      limits.clock().advance(Duration.ofSeconds(30));
      api.get("changes/tiers", "X-User", "bob");

      api.send("POST", "changes/reset/gold-ann");

      assertThat(api.statuses(3, "changes/tiers", "X-User", "gold-ann")).containsOnly(200);
    }
  }

  @Test
  void keepsTheUsageOfWhoStayedAwayThroughSeveralWindows() {
    try (JerseyServer server = server()) {
      HttpApi api = server.api();
      api.statuses(2, "changes/tiers", "X-User", "ann");

      for (String limit : List.of("3/2h", "3/4h", "3/1d")) {
        settings.set("comporta.policies.tiers.limits", limit);
        limits.clock().advance(Duration.ofSeconds(30));
        api.get("changes/tiers", "X-User", limit);
      }

      assertThat(only(api.get("changes/tiers", "X-User", "ann"), "X-RateLimit-Remaining"))
          .isEqualTo("0");
      assertThat(only(api.get("changes/tiers", "X-User", "3/2h"), "X-RateLimit-Remaining"))
          .isEqualTo("1");
    }
  }

  @Test
  void changedLimitCountsForThoseForWhomTheOneBeforeDidAndKeepsTheirUsage() {
    try (JerseyServer server = server()) {
      HttpApi api = server.api();
      api.statuses(2, "changes/login", "X-User", "ann");

      api.send("POST", "changes/login/5-1h");

      // Refused by authentication, as a login that fails: still counted for the address.
      assertThat(only(api.get("changes/login", "X-User", "nobody"), "X-RateLimit-Remaining"))
          .isEqualTo("2");
      assertThat(only(api.get("changes/login", "X-User", "bob"), "X-RateLimit-Remaining"))
          .isEqualTo("1");
    }
  }

  @Test
  void settingsThatDoNotFitDoNotEndTheReadingOfThoseThatFollow() {
    try (JerseyServer server = server()) {
      HttpApi api = server.api();
      api.get("changes/dear");
      settings.set("comporta.policies.dear.limits", "9/1h", "comporta.reload-every", "0");
      limits.clock().advance(Duration.ofSeconds(30));
      assertThat(only(api.get("changes/dear"), "X-RateLimit-Limit")).isEqualTo("100");

      settings.set("comporta.policies.dear.limits", "200/1h", "comporta.reload-every", "30s");
      limits.clock().advance(Duration.ofSeconds(30));

      assertThat(only(api.get("changes/dear"), "X-RateLimit-Limit")).isEqualTo("200");
    }
  }
}
