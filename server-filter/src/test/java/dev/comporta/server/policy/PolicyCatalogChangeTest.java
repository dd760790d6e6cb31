package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Charge;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies.Conduct;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.ConfiguredPolicies.Counting;
import jakarta.ws.rs.GET;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PolicyCatalogChangeTest {

  static class Resource {
    @GET
    @RateLimited(value = "10/1m", policy = "search", cost = 5)
    public void search() {}

    @GET
    @RateLimited(value = "20/1m", policy = "report")
    public void report() {}

    @GET
    @RateLimited("30/1m")
    public void own() {}

    @GET
    @RateLimited
    public void standing() {}
  }

  private static final ConfiguredPolicies FIRST =
      ConfiguredPolicies.NONE.withDefaultLimits(List.of(new LimitText("default", "60/1m")));

  @Test
  void changesLimitsModeAndChargeAtOnce() {
    PolicyCatalog catalog = catalog(FIRST);
    ConfiguredPolicy shadow =
        policy(
            "search",
            Counting.AS_ANNOTATED,
            new Conduct(Optional.of(Mode.SHADOW), Optional.of(Charge.FAILURES)),
            "7/1m");

    assertThat(
            catalog.reconfigure(
                ConfiguredPolicies.of(Map.of("search", shadow))
                    .withDefaultLimits(List.of(new LimitText("default", "61/1m")))
                    .withMode(Mode.OFF),
                PolicyLookup.NONE))
        .isEmpty();

    PolicyBinding search = binding(catalog, "search");
    assertThat(search.policy().limits()).containsExactly(LimitSpec.parse("7/1m"));
    assertThat(search.policy().mode()).isEqualTo(Mode.SHADOW);
    assertThat(search.charge()).isEqualTo(Charge.FAILURES);
    assertThat(binding(catalog, "report").policy().mode()).isEqualTo(Mode.OFF);
    assertThat(binding(catalog, "own").policy().mode()).isEqualTo(Mode.OFF);
    assertThat(binding(catalog, "standing").policy().limits())
        .containsExactly(LimitSpec.parse("61/1m"));
  }

  @Test
  void changesALeaseAtOnceAndTakesItAway() {
    PolicyCatalog catalog = catalog(FIRST);
    Conduct leasing = new Conduct(Optional.empty(), Optional.empty(), Optional.of(5));
    ConfiguredPolicy search = policy("search", Counting.AS_ANNOTATED, leasing, "7/1m");

    assertThat(binding(catalog, "search").policy().lease()).isEqualTo(Policy.NO_LEASE);
    catalog.reconfigure(
        ConfiguredPolicies.of(Map.of("search", search)).withDefaultLimits(FIRST.defaultLimits()),
        PolicyLookup.NONE);
    assertThat(binding(catalog, "search").policy().lease()).isEqualTo(5);
    catalog.reconfigure(FIRST, PolicyLookup.NONE);
    assertThat(binding(catalog, "search").policy().lease()).isEqualTo(Policy.NO_LEASE);
  }

  @Test
  void takesTheAnnotationAgainWhenAPolicyIsNoLongerConfigured() {
    PolicyCatalog catalog = catalog(with("search", "7/1m"));

    assertThat(catalog.reconfigure(FIRST, PolicyLookup.NONE)).isEmpty();

    assertThat(binding(catalog, "search").policy().limits())
        .containsExactly(LimitSpec.parse("10/1m"));
  }

  @Test
  void keepsWhatItHasWhenAnythingIsWrong() {
    PolicyCatalog catalog = catalog(FIRST);
    Map<String, ConfiguredPolicy> both =
        Map.of("search", policy("search", "4/1m"), "report", policy("report", "2/1m"));

    List<PolicyFault> faults =
        catalog.reconfigure(
            ConfiguredPolicies.of(both).withDefaultLimits(FIRST.defaultLimits()),
            PolicyLookup.NONE);

    assertThat(faults)
        .extracting(PolicyFault::problem)
        .containsExactly(
            "cost must be at most 4, what the smallest limit of policy 'search' can ever admit,"
                + " was 5");
    assertThat(binding(catalog, "report").policy().limits())
        .containsExactly(LimitSpec.parse("20/1m"));
    assertThat(catalog.faults()).isEmpty();
    assertThat(catalog.history().since(0, "report")).isEmpty();
  }

  @Test
  void takesALimitThatTheCostJustFits() {
    PolicyCatalog catalog = catalog(FIRST);

    assertThat(catalog.reconfigure(with("search", "5/1m"), PolicyLookup.NONE)).isEmpty();
    assertThat(catalog.override("search", List.of(LimitSpec.parse("5/1h")))).isEmpty();
    assertThat(catalog.override("search", List.of(LimitSpec.parse("4/1h")))).hasSize(1);
  }

  @Test
  void refusesAConfigurationWithoutTheDefaultLimitsThatAreNeeded() {
    PolicyCatalog catalog = catalog(FIRST);

    assertThat(catalog.reconfigure(ConfiguredPolicies.NONE, PolicyLookup.NONE))
        .singleElement()
        .satisfies(fault -> assertThat(fault.problem()).contains("comporta.default.limits"));
  }

  @Test
  void refusesANameThatIsLikelyMisspelt() {
    assertThat(catalog(FIRST).reconfigure(with("serach", "5/1m"), PolicyLookup.NONE))
        .singleElement()
        .satisfies(fault -> assertThat(fault.problem()).contains("nearest: 'search'"));
  }

  static class Faulty {
    @GET
    @RateLimited("0/1m")
    public void get() {}
  }

  @Test
  void isNotHeldBackByAFaultThatWasThereBefore() throws Exception {
    PolicyCatalog catalog = catalog(FIRST);
    catalog.discover(Faulty.class, Faulty.class.getMethod("get"));

    assertThat(catalog.reconfigure(with("search", "7/1m"), PolicyLookup.NONE)).isEmpty();
  }

  @Test
  void keepsGivenLimitsThroughAReadingUntilTheyAreTakenBack() {
    PolicyCatalog catalog = catalog(FIRST);
    LimitSpec given = LimitSpec.parse("99/1m");

    assertThat(catalog.override("search", List.of(given))).isEmpty();
    assertThat(catalog.reconfigure(with("search", "7/1m"), PolicyLookup.NONE)).isEmpty();
    assertThat(binding(catalog, "search").policy().limits()).containsExactly(given);

    catalog.revert("search");
    catalog.revert("search");
    assertThat(binding(catalog, "search").policy().limits())
        .containsExactly(LimitSpec.parse("7/1m"));
  }

  @Test
  void refusesAConfigurationThatOnlyGivenLimitsHide() {
    PolicyCatalog catalog = catalog(FIRST);
    assertThat(catalog.override("search", List.of(LimitSpec.parse("99/1m")))).isEmpty();

    assertThat(catalog.reconfigure(with("search", "4/1m"), PolicyLookup.NONE)).hasSize(1);
  }

  @Test
  void givesLimitsOnlyToPoliciesThatThereAre() {
    PolicyCatalog catalog = catalog(FIRST);

    assertThat(catalog.override("serach", List.of(LimitSpec.parse("9/1m"))))
        .extracting(PolicyFault::problem)
        .containsExactly("unknown policy 'serach'; nearest: 'search'");
    assertThat(catalog.override("search", List.of()))
        .extracting(PolicyFault::problem)
        .containsExactly("a policy must have at least one limit, was none");
  }

  @Test
  void remembersWhatAPolicyWasBeforeItsLimitsChanged() {
    PolicyCatalog catalog = catalog(FIRST);
    assertThat(catalog.history().since(0, "search")).isEmpty();

    assertThat(catalog.reconfigure(with("search", "7/1h"), PolicyLookup.NONE)).isEmpty();
    assertThat(catalog.reconfigure(with("search", "7/1h").withMode(Mode.SHADOW), PolicyLookup.NONE))
        .isEmpty();

    assertThat(catalog.history().since(0, "search"))
        .extracting(Policy::limits)
        .containsExactly(List.of(LimitSpec.parse("10/1m")));
    assertThat(catalog.history().since(0, "report")).isEmpty();
  }

  @Test
  void remembersTheLastEightThatAPolicyWasAndWhenItCeasedToBe() {
    PolicyCatalog catalog = catalog(FIRST);

    for (int hours = 1; hours <= 10; hours++) {
      assertThat(catalog.reconfigure(with("search", "7/" + hours + "h"), PolicyLookup.NONE))
          .isEmpty();
    }

    PolicyHistory history = catalog.history();
    assertThat(history.changes()).isEqualTo(10);
    assertThat(history.since(0, "search"))
        .extracting(policy -> policy.limits().get(0).windowText())
        .containsExactly("2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h");
    assertThat(history.since(8, "search"))
        .extracting(policy -> policy.limits().get(0).windowText())
        .containsExactly("8h", "9h");
    assertThat(history.since(10, "search")).isEmpty();
  }

  @Test
  void isAfterAnyChangesWhatAFreshCatalogWouldBe() {
    for (long seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      PolicyCatalog changed = catalog(FIRST);
      ConfiguredPolicies accepted = FIRST;
      for (int change = 0; change < 6; change++) {
        ConfiguredPolicies next = someConfiguration(random);
        List<PolicyFault> faults = changed.reconfigure(next, PolicyLookup.NONE);

        assertThat(faults)
            .as("seed %d", seed)
            .containsExactlyInAnyOrderElementsOf(catalog(next).faults());
        accepted = faults.isEmpty() ? next : accepted;
        assertThat(resolutions(changed))
            .as("seed %d", seed)
            .isEqualTo(resolutions(catalog(accepted)));
      }
    }
  }

  private static ConfiguredPolicies someConfiguration(Random random) {
    Map<String, ConfiguredPolicy> byName = new TreeMap<>();
    for (String name : List.of("search", "report", "serach", "other")) {
      if (random.nextInt(3) > 0 && (!name.equals("serach") || random.nextInt(4) == 0)) {
        byName.put(name, somePolicy(name, random));
      }
    }
    List<LimitText> standing =
        random.nextInt(6) == 0 ? List.of() : List.of(new LimitText("default", "6/1m"));
    return ConfiguredPolicies.of(byName)
        .withDefaultLimits(standing)
        .withMode(List.of(Mode.values()).get(random.nextInt(3)));
  }

  private static ConfiguredPolicy somePolicy(String name, Random random) {
    List<String> limits = new ArrayList<>();
    for (String window : List.of("1s", "1m", "1h")) {
      if (random.nextBoolean()) {
        limits.add(4 + random.nextInt(20) + "/" + window);
      }
    }
    Counting counting =
        random.nextBoolean()
            ? Counting.AS_ANNOTATED
            : new Counting(Optional.of(Algorithm.SLIDING_WINDOW_COUNTER), Optional.of(By.ADDRESS));
    Conduct conduct =
        random.nextBoolean()
            ? Conduct.AS_ANNOTATED
            : new Conduct(Optional.of(Mode.SHADOW), Optional.of(Charge.SUCCESSES));
    return policy(name, counting, conduct, limits.toArray(String[]::new));
  }

  private static Map<String, Resolution> resolutions(PolicyCatalog catalog) {
    Map<String, Resolution> resolutions = new TreeMap<>();
    for (Method method : Resource.class.getDeclaredMethods()) {
      resolutions.put(method.getName(), catalog.resolve(Resource.class, method));
    }
    return resolutions;
  }

  private static PolicyBinding binding(PolicyCatalog catalog, String method) {
    Resolution resolution = Objects.requireNonNull(resolutions(catalog).get(method), method);
    return ((Resolution.Limited) resolution).binding();
  }

  private static ConfiguredPolicies with(String name, String... limits) {
    return ConfiguredPolicies.of(Map.of(name, policy(name, limits)))
        .withDefaultLimits(FIRST.defaultLimits());
  }

  private static ConfiguredPolicy policy(String name, String... limits) {
    return policy(name, Counting.AS_ANNOTATED, Conduct.AS_ANNOTATED, limits);
  }

  private static ConfiguredPolicy policy(
      String name, Counting counting, Conduct conduct, String... limits) {
    String place = "comporta.policies." + name + ".limits";
    List<LimitText> texts = new ArrayList<>();
    for (String limit : limits) {
      texts.add(new LimitText(place, limit));
    }
    return new ConfiguredPolicy(place, texts, Map.of(), counting, conduct);
  }

  private static PolicyCatalog catalog(ConfiguredPolicies configured) {
    PolicyCatalog catalog = new PolicyCatalog(configured, Optional.empty());
    catalog.discoverAll(Resource.class);
    return catalog;
  }
}
