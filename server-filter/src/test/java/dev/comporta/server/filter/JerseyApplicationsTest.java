package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.contract.AnswersResource;
import dev.comporta.server.contract.ContractFilters;
import dev.comporta.server.contract.ExemptResource;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.contract.LimitsResource;
import dev.comporta.server.contract.OverriddenResource;
import dev.comporta.server.contract.QuotasResource;
import dev.comporta.server.contract.UnlimitedResource;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.net.http.HttpResponse;
import java.util.Set;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What depends on how an application is put together, and on its settings. */
class JerseyApplicationsTest {

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  /** Limits everything in it. */
  @RateLimited("3/1h")
  public static class LimitedEverywhere extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(
          UnlimitedResource.class, ExemptResource.class, OverriddenResource.class, CostAlone.class);
    }
  }

  /** Limits everything in it, too. */
  @RateLimited("3/1h")
  public static class LimitedConfig extends ResourceConfig {

    /** For Jersey. */
    public LimitedConfig() {
      register(UnlimitedResource.class);
      register(CostAlone.class);
    }
  }

  /** Takes its limits from the application. */
  @Path("cost")
  public static class CostAlone {

    /** 200. */
    @GET
    @RateLimited(cost = 2)
    public String get() {
      return "ok";
    }
  }

  /** Limited by what it can find in the configuration alone. */
  @Path("configured")
  public static class Configured {

    /** 200. */
    @GET
    @RateLimited(policy = "configured")
    public String get() {
      return "ok";
    }
  }

  /** Has a part that is faulty, which nobody knows before it is asked for. */
  @Path("late")
  public static class Late {

    /** The part. */
    @Path("part")
    public Object part() {
      return new FaultyResource();
    }

    /** 200. */
    @GET
    @RateLimited("100/1h")
    public String get() {
      return "ok";
    }
  }

  @Test
  void anAnnotatedApplicationLimitsAllThatSaysNothingElse() {
    try (JerseyServer server =
        new JerseyServer(ResourceConfig.forApplicationClass(LimitedEverywhere.class))) {
      HttpApi api = server.api();

      for (int i = 0; i < 5; i++) {
        assertThat(api.send("OPTIONS", "unlimited").statusCode()).isEqualTo(200);
      }
      assertThat(api.statuses(4, "unlimited")).containsExactly(200, 200, 200, 429);
      assertThat(only(api.get("overridden/own"), "X-RateLimit-Limit")).isEqualTo("5");
      assertThat(api.statuses(10, "exempt")).containsOnly(200);
      assertThat(only(api.get("cost", "X-Test", "1"), "X-RateLimit-Limit")).isEqualTo("3");
      assertThat(api.get("nowhere").headers().firstValue("RateLimit")).isEmpty();
    }
  }

  @Test
  void anAnnotatedResourceConfigLimitsAllThatSaysNothingElse() {
    try (JerseyServer server = new JerseyServer(new LimitedConfig())) {
      assertThat(server.api().statuses(4, "unlimited")).containsExactly(200, 200, 200, 429);
      assertThat(server.api().get("cost").statusCode()).isIn(200, 429);
    }
  }

  @Test
  void twoApplicationsInOneProcessDoNotShare() {
    try (JerseyServer one = new JerseyServer(new ResourceConfig(LimitsResource.class));
        JerseyServer other = new JerseyServer(new ResourceConfig(LimitsResource.class))) {
      assertThat(one.api().statuses(5, "limits/shared")).endsWith(200, 429);

      assertThat(only(other.api().get("limits/shared"), "X-RateLimit-Remaining")).isEqualTo("3");
      other.stop();
      assertThat(one.api().get("limits/shared").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void registeringTheFeatureByHandAsWellChangesNothing() {
    ResourceConfig twice =
        new ResourceConfig(AnswersResource.class, RateLimitFeature.class)
            .register(new RateLimitFeature());
    try (JerseyServer server = new JerseyServer(twice)) {
      HttpResponse<String> first = server.api().get("answers/ok");

      assertThat(only(first, "X-RateLimit-Remaining")).isEqualTo("999");
      assertThat(only(server.api().get("answers/ok"), "X-RateLimit-Remaining")).isEqualTo("998");
    }
  }

  @Test
  void aRequestIsDecidedOnceHoweverOftenAFilterRuns() {
    ResourceConfig doubled =
        new ResourceConfig(AnswersResource.class)
            .register(BeforeAuthenticationFilter.Unnamed.class)
            .register(AfterAuthenticationFilter.Unnamed.class)
            .register(RateLimitHeadersFilter.Unnamed.class);
    try (JerseyServer server = new JerseyServer(doubled)) {
      assertThat(only(server.api().get("answers/ok"), "X-RateLimit-Remaining")).isEqualTo("999");
      assertThat(only(server.api().get("answers/ok"), "X-RateLimit-Remaining")).isEqualTo("998");
    }
  }

  @Test
  void aFaultThatIsFoundLateFailsWhatIsFaultyAlone() {
    try (JerseyServer server = new JerseyServer(new ResourceConfig(Late.class))) {
      assertThat(server.api().statuses(2, "late/part/zero")).containsOnly(500);
      assertThat(server.api().get("late").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void configurationGivesLimitsAndReplacesThem() {
    settings.set(
        "comporta.policies.configured.limits", "2/1h",
        "comporta.policies.hundred.limits", "7/1d",
        "comporta.policies.hundred.tiers.gold.limits", "9/1d",
        "comporta.tiers.gold.roles", "gold");
    try (JerseyServer server =
        new JerseyServer(
            new ResourceConfig(
                Configured.class, LimitsResource.class, ContractFilters.Authentication.class))) {
      HttpApi api = server.api();

      assertThat(api.statuses(3, "configured")).containsExactly(200, 200, 429);
      assertThat(only(api.get("limits/hundred"), "X-RateLimit-Limit")).isEqualTo("7");
      assertThat(only(api.get("limits/hundred", "X-User", "gold-ann"), "X-RateLimit-Limit"))
          .isEqualTo("9");
    }
  }

  @Test
  void quotasAreThoseOfTheTierOfTheCaller() {
    settings.set(
        "comporta.policies.asked.tiers.gold.limits", "99/1h",
        "comporta.tiers.gold.roles", "gold");
    try (JerseyServer server =
        new JerseyServer(
            new ResourceConfig(
                QuotasResource.class,
                ContractFilters.Authentication.class,
                ContractFilters.TellQuotas.class))) {
      assertThat(server.api().get("quotas", "X-User", "gold-ann").body().lines())
          .containsExactly("asked asked-1h 99 99 PT1H", "asking asking-1h 9 9 PT1H");
    }
  }

  @Test
  void sendsTheDialectsThatAreChosen() {
    settings.set("comporta.headers", "ietf");
    try (JerseyServer server = new JerseyServer(new ResourceConfig(AnswersResource.class))) {
      HttpResponse<String> answer = server.api().get("answers/ok");

      assertThat(only(answer, "RateLimit")).startsWith("\"answers-1h\"");
      assertThat(answer.headers().firstValue("X-RateLimit-Limit")).isEmpty();
    }
  }

  @Test
  void believesAProxyThatIsTrusted() {
    settings.set("comporta.trusted-proxies", "127.0.0.1,::1");
    try (JerseyServer server = new JerseyServer(new ResourceConfig(LimitsResource.class))) {
      HttpApi api = server.api();

      assertThat(api.statuses(4, "limits/three", "X-Forwarded-For", "192.0.2.1"))
          .containsExactly(200, 200, 200, 429);
      assertThat(api.get("limits/three", "X-Forwarded-For", "192.0.2.2").statusCode())
          .isEqualTo(200);
      assertThat(api.get("limits/three").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void answers503WhenNoStoreDecidesAndTheApplicationHasChosenSo() {
    setRedisAway("deny");
    try (JerseyServer server = new JerseyServer(new ResourceConfig(LimitsResource.class))) {
      HttpResponse<String> answer = server.api().get("limits/three");

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(only(answer, "Retry-After")).isEqualTo("1");
      assertThat(answer.body()).contains("\"error\":\"Service Unavailable\"");
      assertThat(answer.headers().firstValue("RateLimit")).isEmpty();
    }
  }

  @Test
  void passesRequestsWithoutHeadersWhenNoStoreDecidesAndTheApplicationHasChosenSo() {
    setRedisAway("allow");
    try (JerseyServer server = new JerseyServer(new ResourceConfig(LimitsResource.class))) {
      assertThat(server.api().statuses(10, "limits/three")).containsOnly(200);
      assertThat(server.api().get("limits/three").headers().firstValue("RateLimit")).isEmpty();
    }
  }

  @Test
  void countsOnItsOwnWhenNoStoreDecides() {
    setRedisAway("local");
    try (JerseyServer server =
        new JerseyServer(
            new ResourceConfig(
                LimitsResource.class, QuotasResource.class, ContractFilters.TellQuotas.class))) {
      assertThat(server.api().statuses(4, "limits/three")).containsExactly(200, 200, 200, 429);
      assertThat(server.api().get("quotas").body()).contains("shared shared-1h 4 4 PT1H");
    }
  }

  /* Port 1 of the loopback: nobody listens there, and the connection is refused at once. */
  private void setRedisAway(String onFailure) {
    settings.set(
        "comporta.store", "redis",
        "comporta.redis.address", "redis://127.0.0.1:1",
        "comporta.on-store-failure", onFailure);
  }
}
