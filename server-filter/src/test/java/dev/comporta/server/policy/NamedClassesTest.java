package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies.Conduct;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.ConfiguredPolicies.Counting;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A class by which a limit is keyed believes what a client says. Were it forgotten once a setting
 * replaces that limit, a bean of it would say who sends all other requests.
 */
class NamedClassesTest {

  /** Names whom the client says. */
  public static class TriedName implements CallerIdentifier {

    @Override
    public Optional<Caller> identify(ContainerRequestContext request) {
      return Optional.empty();
    }
  }

  @Path("logins")
  static class Logins {

    @POST
    @RateLimited(
        limits = {
          @Limit(value = "5/15m", by = By.ADDRESS),
          @Limit(value = "9/1d", keyedBy = TriedName.class)
        },
        policy = "login")
    public void login() {}
  }

  @Test
  void classThatKeysALimitIsKnownThoughItsLimitIsConfiguredForOthers() {
    assertThat(named(configured(Optional.of(By.ADDRESS)))).containsExactly(TriedName.class);
  }

  @Test
  void classThatKeysALimitIsKnownThoughOtherLimitsAreConfigured() {
    assertThat(named(configured(Optional.empty(), "10/15m"))).containsExactly(TriedName.class);
  }

  @Test
  void classThatKeysALimitIsKnownThoughItsResourceIsExempt() {
    ConfiguredPolicies exempt =
        ConfiguredPolicies.NONE.withExemptPaths(ExemptPaths.of(List.of("/logins")));

    assertThat(named(exempt)).containsExactly(TriedName.class);
  }

  @Test
  void classThatKeysALimitIsKnownThoughRunningCodeHasGivenOthers() {
    PolicyCatalog catalog = catalog(ConfiguredPolicies.NONE);

    assertThat(catalog.override("login", List.of(LimitSpec.parse("10/15m")))).isEmpty();

    assertThat(catalog.namedClasses()).containsExactly(TriedName.class);
  }

  private static Iterable<Class<?>> named(ConfiguredPolicies configured) {
    return catalog(configured).namedClasses();
  }

  private static PolicyCatalog catalog(ConfiguredPolicies configured) {
    PolicyCatalog catalog = new PolicyCatalog(configured, Optional.empty());
    catalog.discoverAll(Logins.class);
    return catalog;
  }

  private static ConfiguredPolicies configured(Optional<By> by, String... limits) {
    List<LimitText> texts =
        List.of(limits).stream()
            .map(limit -> new LimitText("comporta.policies.login.limits", limit))
            .toList();
    return ConfiguredPolicies.of(
        Map.of(
            "login",
            new ConfiguredPolicy(
                "comporta.policies.login.by",
                texts,
                Map.of(),
                new Counting(Optional.empty(), by),
                Conduct.AS_ANNOTATED)));
  }
}
