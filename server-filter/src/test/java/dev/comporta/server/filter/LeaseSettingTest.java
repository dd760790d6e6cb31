package dev.comporta.server.filter;

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
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code comporta.policies.<name>.lease} cannot do stops the deployment. */
class LeaseSettingTest {

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  private final LimitsUnderTest limits = new LimitsUnderTest();

  /** Of these, leases can be taken of one alone. */
  @Path("books")
  public static class Books {

    @GET
    @RateLimited(policy = "search", value = "5/1h")
    public String search() {
      return "ok";
    }

    @GET
    @Path("exact")
    @RateLimited(
        policy = "exact",
        limits = @Limit(value = "5/1h", algorithm = Algorithm.SLIDING_WINDOW_LOG))
    public String exact() {
      return "ok";
    }

    @GET
    @Path("login")
    @RateLimited(policy = "login", value = "5/15m", charge = Charge.FAILURES)
    public String login() {
      return "ok";
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "redis"})
  void stopsTheDeploymentWithAllThatItCannotDo(String store) {
    settings.set(
        "comporta.store", store,
        "comporta.redis.address", "redis://127.0.0.1:1",
        "comporta.policies.search.lease", "6",
        "comporta.policies.exact.lease", "2",
        "comporta.policies.login.lease", "2");

    assertThatThrownBy(() -> new JerseyServer(new ResourceConfig(Books.class)))
        .hasStackTraceContaining("must be at most 5")
        .hasStackTraceContaining("(comporta.policies.search.lease)")
        .hasStackTraceContaining("must be 1 with a sliding-window-log")
        .hasStackTraceContaining("(comporta.policies.exact.lease)")
        .hasStackTraceContaining("must be 1 with any charge but 'always'")
        .hasStackTraceContaining("(comporta.policies.login.lease)");
  }

  @Test
  void storeIsToldOfIt() {
    settings.set("comporta.policies.search.lease", "5");
    KeyRecorder recorder = new KeyRecorder();
    ResourceConfig application =
        new ResourceConfig(Books.class).property(RateLimitFeature.STORE, recorder);
    try (JerseyServer server = new JerseyServer(application)) {
      server.api().get("books");
      assertThat(recorder.leases()).containsExactly(5);

      server.api().get("books/exact");
      assertThat(recorder.leases()).containsExactlyInAnyOrder(5, 1);
    }
  }

  @Test
  void doesNothingInMemory() {
    settings.set("comporta.policies.search.lease", "5");
    ResourceConfig application = new ResourceConfig(Books.class);
    limits.applyTo(application);
    try (JerseyServer server = new JerseyServer(application)) {
      HttpApi api = server.api();

      api.get("books");

      assertThat(HttpApi.only(api.get("books"), "X-RateLimit-Remaining")).isEqualTo("3");
    }
  }
}
