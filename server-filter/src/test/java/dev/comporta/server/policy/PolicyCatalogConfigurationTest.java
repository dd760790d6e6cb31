package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies.Conduct;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.ConfiguredPolicies.Counting;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyCatalogConfigurationTest {

  static class Resource {
    @GET
    @RateLimited(value = "10/1m", policy = "plain", cost = 5)
    public void plain() {}

    @GET
    @RateLimited(
        policy = "windowed",
        limits =
            @Limit(value = "10/1m", algorithm = Algorithm.SLIDING_WINDOW_COUNTER, by = By.ADDRESS))
    public void windowed() {}

    @GET
    @RateLimited(
        policy = "mixed",
        limits = {@Limit(value = "10/1m", by = By.ADDRESS), @Limit("10/1h")})
    public void mixed() {}

    @GET
    @RateLimited(policy = "configured")
    public void configured() {}
  }

  private static final ConfiguredPolicy CONFIGURED = policy("configured", "100/1m");

  @Test
  void replacesTheLimitsOfTheAnnotation() {
    assertThat(named("plain", Map.of("plain", policy("plain", "20/1m"))).limits())
        .containsExactly(LimitSpec.parse("20/1m"));
  }

  @Test
  void givesLimitsToAPolicyThatNoAnnotationGivesAny() {
    assertThat(named("configured", Map.of()).limits()).containsExactly(LimitSpec.parse("100/1m"));
  }

  @Test
  void countsAsTheAnnotationDoesWhereConfigurationDoesNotSay() {
    Map<String, ConfiguredPolicy> configured =
        Map.of("windowed", policy("windowed", "20/1m"), "mixed", policy("mixed", "20/1m"));

    assertThat(named("windowed", configured).limits())
        .containsExactly(
            LimitSpec.parse("20/1m")
                .countedBy(Algorithm.SLIDING_WINDOW_COUNTER)
                .perEach(By.ADDRESS));
    assertThat(named("mixed", configured).limits()).containsExactly(LimitSpec.parse("20/1m"));
  }

  @Test
  void countsAllLimitsAndTiersAsConfigured() {
    ConfiguredPolicy tiered =
        new ConfiguredPolicy(
            "comporta.policies.mixed.by",
            List.of(),
            Map.of("premium", List.of(new LimitText("premium", "99/1m"))),
            new Counting(Optional.of(Algorithm.SLIDING_WINDOW_COUNTER), Optional.of(By.EVERYONE)),
            Conduct.AS_ANNOTATED);

    Policy mixed = named("mixed", Map.of("mixed", tiered));

    assertThat(mixed.limits()).extracting(LimitSpec::windowText).containsExactly("1m", "1h");
    assertThat(mixed.limits())
        .allMatch(limit -> limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER)
        .allMatch(limit -> limit.by() == By.EVERYONE);
    assertThat(mixed.tiers().get("premium"))
        .containsExactly(
            LimitSpec.parse("99/1m")
                .countedBy(Algorithm.SLIDING_WINDOW_COUNTER)
                .perEach(By.EVERYONE));
  }

  @Test
  void tellsACostThatAConfiguredLimitOrTierCannotAdmit() {
    ConfiguredPolicy tier =
        new ConfiguredPolicy(
            "comporta.policies.plain.tiers.free.limits",
            List.of(),
            Map.of("free", List.of(new LimitText("free", "4/1m"))),
            Counting.AS_ANNOTATED,
            Conduct.AS_ANNOTATED);

    assertThat(catalog(Map.of("plain", policy("plain", "5/1m"))).faults()).isEmpty();
    assertThat(catalog(Map.of("plain", policy("plain", "4/1m"))).faults()).hasSize(1);
    assertThat(catalog(Map.of("plain", tier)).faults())
        .singleElement()
        .satisfies(fault -> assertThat(fault.problem()).contains("at most 4").contains("was 5"));
  }

  @Test
  void tellsAPolicyThatIsConfiguredWithoutLimits() {
    ConfiguredPolicy onlyBy =
        new ConfiguredPolicy(
            "comporta.policies.configured.by",
            List.of(),
            Map.of(),
            new Counting(Optional.empty(), Optional.of(By.ADDRESS)),
            Conduct.AS_ANNOTATED);

    assertThat(catalog(Map.of("configured", onlyBy)).faults())
        .extracting(PolicyFault::problem)
        .containsExactly(
            "policy 'configured' must have limits, was configured without"
                + " comporta.policies.configured.limits");
  }

  @Test
  void tellsAConfiguredPolicyThatIsLikelyMisspelt() {
    PolicyCatalog catalog = catalog(Map.of("plian", policy("plian", "20/1m")));

    assertThat(catalog.faults())
        .containsExactly(
            new PolicyFault(
                "comporta.policies.plian.limits",
                "no resource names policy 'plian'; nearest: 'plain'"));
    assertThat(catalog.warnings()).isEmpty();
  }

  @Test
  void onlyWarnsOfAConfiguredPolicyThatMayBeMeant() {
    PolicyCatalog far =
        catalog(Map.of("entirely-different", policy("entirely-different", "20/1m")));
    PolicyCatalog both =
        catalog(Map.of("plain", policy("plain", "20/1m"), "plain2", policy("plain2", "30/1m")));

    assertThat(far.faults()).isEmpty();
    assertThat(far.warnings())
        .extracting(PolicyFault::problem)
        .containsExactly("no resource names policy 'entirely-different'");
    assertThat(both.faults()).isEmpty();
    assertThat(both.warnings()).hasSize(1);
  }

  static class Locating {
    @GET
    @RateLimited(value = "10/1m", policy = "book")
    public void list() {}

    @Path("{id}")
    public Object one() {
      return new Object();
    }
  }

  @Test
  void onlyWarnsWhereASubResourceMayNameThePolicyYet() {
    PolicyCatalog catalog =
        new PolicyCatalog(
            ConfiguredPolicies.of(Map.of("books", policy("books", "1/1m"))), Optional.empty());
    catalog.discoverAll(Locating.class);

    assertThat(catalog.faults()).isEmpty();
    assertThat(catalog.warnings())
        .extracting(PolicyFault::problem)
        .containsExactly("no resource names policy 'books'; nearest: 'book'");
  }

  @Test
  void looksUpAPolicyThatOnlyAnAnnotationNames() {
    PolicyLookup lookup =
        (name, faults) -> {
          faults.accept(new PolicyFault("comporta.policies." + name + ".by", "told"));
          return name.equals("plain") ? Optional.of(policy("plain", "33/1m")) : Optional.empty();
        };
    PolicyCatalog catalog =
        new PolicyCatalog(
            ConfiguredPolicies.of(Map.of("configured", CONFIGURED)), Optional.empty(), lookup);
    catalog.discoverAll(Resource.class);

    assertThat(catalog.faults())
        .extracting(PolicyFault::place)
        .containsExactlyInAnyOrder(
            "comporta.policies.plain.by",
            "comporta.policies.windowed.by",
            "comporta.policies.mixed.by");
    assertThat(catalog.sharedPolicies())
        .filteredOn(policy -> policy.name().equals("plain"))
        .flatExtracting(Policy::limits)
        .containsExactly(LimitSpec.parse("33/1m"));
  }

  @Test
  void listsSharedPoliciesByName() {
    assertThat(catalog(Map.of()).sharedPolicies())
        .extracting(Policy::name)
        .containsExactly("configured", "mixed", "plain", "windowed");
  }

  private static Policy named(String name, Map<String, ConfiguredPolicy> configured) {
    PolicyCatalog catalog = catalog(configured);
    assertThat(catalog.faults()).isEmpty();
    return catalog.sharedPolicies().stream()
        .filter(policy -> policy.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static PolicyCatalog catalog(Map<String, ConfiguredPolicy> configured) {
    Map<String, ConfiguredPolicy> all = new java.util.TreeMap<>(configured);
    all.putIfAbsent("configured", CONFIGURED);
    PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.of(all), Optional.empty());
    catalog.discoverAll(Resource.class);
    return catalog;
  }

  private static ConfiguredPolicy policy(String name, String limit) {
    return new ConfiguredPolicy(
        "comporta.policies." + name + ".limits",
        List.of(new LimitText("comporta.policies." + name + ".limits", limit)),
        Map.of(),
        Counting.AS_ANNOTATED,
        Conduct.AS_ANNOTATED);
  }
}
