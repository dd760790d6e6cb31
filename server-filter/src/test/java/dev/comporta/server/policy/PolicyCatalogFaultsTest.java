package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyCatalogFaultsTest {

  private static final String HERE = PolicyCatalogFaultsTest.class.getName() + "$";

  static class BadLimit {
    @GET
    @RateLimited({"10/1m", "0/1m"})
    public void get(String id) {}
  }

  @Test
  void tellsALimitThatCannotBeReadWithItsPlace() {
    assertThat(faults(BadLimit.class))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.place()).isEqualTo(HERE + "BadLimit#get(String)");
              assertThat(fault.problem()).contains("'0/1m'");
            });
  }

  static class BadBurst {
    @GET
    @RateLimited(limits = @Limit(value = "10/1m", burst = -1))
    public void negative() {}

    @GET
    @RateLimited(
        limits = @Limit(value = "10/1m", burst = 20, algorithm = Algorithm.SLIDING_WINDOW_COUNTER))
    public void ofAWindow() {}
  }

  @Test
  void tellsABurstThatCannotBe() {
    assertThat(faults(BadBurst.class))
        .extracting(PolicyFault::problem)
        .containsExactlyInAnyOrder(
            "burst must be a whole number, was '-1' in '10/1m;burst=-1'",
            "burst is for TOKEN_BUCKET only, was 20 with SLIDING_WINDOW_COUNTER in"
                + " '10/1m;algorithm=sliding-window-counter;burst=20'");
  }

  static class BadCosts {
    @GET
    @RateLimited(
        value = {"10/1m", "100/1h"},
        cost = 10)
    public void fits() {}

    @GET
    @RateLimited(
        value = {"10/1m", "100/1h"},
        cost = 11)
    public void tooMuch() {}

    @GET
    @RateLimited(value = "10/1m", cost = 0)
    public void nothing() {}

    @GET
    @RateLimited(limits = @Limit(value = "10/1m", burst = 5), cost = 6)
    public void aboveTheBurst() {}
  }

  @Test
  void tellsACostThatCanNeverPassWithTheNumbers() {
    assertThat(faults(BadCosts.class))
        .extracting(PolicyFault::toString)
        .containsExactlyInAnyOrder(
            "cost must be at most 10, what the smallest limit of policy"
                + " 'PolicyCatalogFaultsTest.BadCosts.tooMuch()' can ever admit, was 11 ("
                + HERE
                + "BadCosts#tooMuch())",
            "cost must be at least 1, was 0 (" + HERE + "BadCosts#nothing())",
            "cost must be at most 5, what the smallest limit of policy"
                + " 'PolicyCatalogFaultsTest.BadCosts.aboveTheBurst()' can ever admit, was 6 ("
                + HERE
                + "BadCosts#aboveTheBurst())");
  }

  static class Bare {
    @GET
    @RateLimited
    public void get() {}
  }

  @Test
  void tellsABareAnnotationUnlessThereAreDefaultLimits() {
    assertThat(faults(Bare.class))
        .extracting(PolicyFault::problem)
        .containsExactly(
            "@RateLimited must state limits or a policy, or comporta.default.limits must be set,"
                + " was neither");

    ConfiguredPolicies defaults =
        ConfiguredPolicies.NONE.withDefaultLimits(
            List.of(new LimitText("comporta.default.limits", "60/1m")));
    PolicyCatalog catalog = new PolicyCatalog(defaults, Optional.empty());
    catalog.discoverAll(Bare.class);
    assertThat(catalog.faults()).isEmpty();
  }

  static class Both {
    @GET
    @RateLimited(value = "10/1m", limits = @Limit("10/1m"))
    public void spellings() {}

    @GET
    @RateLimited("10/1m")
    @RateLimitExempt
    public void answers() {}
  }

  @Test
  void tellsWhatMustNotStandTogether() {
    assertThat(faults(Both.class))
        .extracting(PolicyFault::problem)
        .containsExactlyInAnyOrder(
            "value and limits must not stand together, were both there",
            "@RateLimited and @RateLimitExempt must not stand together, were both there");
  }

  static class Search {
    @GET
    @RateLimited(value = "10/1m", policy = "search")
    public void search() {}
  }

  static class Misspelt {
    @GET
    @RateLimited(policy = "serch")
    public void search() {}

    @GET
    @RateLimited(policy = "entirely-different")
    public void other() {}
  }

  @Test
  void tellsAnUnknownPolicyWithTheNearestKnown() {
    assertThat(faults(Misspelt.class, Search.class))
        .extracting(PolicyFault::problem)
        .containsExactlyInAnyOrder(
            "unknown policy 'serch'; nearest: 'search'",
            "unknown policy 'entirely-different'; no annotation and no setting gives it limits");
  }

  static class OtherSearch {
    @GET
    @RateLimited(value = "20/1m", policy = "search")
    public void search() {}
  }

  static class SameSearch {
    @GET
    @RateLimited(value = "10/60s", policy = "search")
    public void search() {}
  }

  @Test
  void tellsTwoPlacesThatDisagreeOnOnePolicy() {
    PolicyFault expected =
        new PolicyFault(
            HERE + "Search#search()",
            "policy 'search' must have the same limits everywhere, was [10/1m] here and [20/1m] at "
                + HERE
                + "OtherSearch#search()");

    assertThat(faults(Search.class, OtherSearch.class)).containsExactly(expected);
    assertThat(faults(OtherSearch.class, Search.class)).containsExactly(expected);
    assertThat(faults(Search.class, SameSearch.class)).isEmpty();
  }

  static class BadNames {
    @GET
    @RateLimited(value = "10/1m", policy = "a b")
    public void blank() {}

    @GET
    @RateLimited(value = "10/1m", policy = "\"};x")
    public void quoted() {}
  }

  @Test
  void tellsANameThatNoHeaderCouldCarry() {
    assertThat(faults(BadNames.class))
        .hasSize(2)
        .allSatisfy(fault -> assertThat(fault.problem()).startsWith(PolicyNames.RULE));
  }

  @RateLimited("1/1m")
  @Retention(RetentionPolicy.RUNTIME)
  @interface One {}

  @RateLimited("2/1m")
  @Retention(RetentionPolicy.RUNTIME)
  @interface Two {}

  static class Ambiguous {
    @GET
    @One
    @Two
    public void get() {}
  }

  @Test
  void tellsTwoComposedAnnotationsOnOneElement() {
    assertThat(faults(Ambiguous.class))
        .extracting(PolicyFault::problem)
        .containsExactly("only one @RateLimited may apply, were 2 by composition");
  }

  @RateLimited("0/1m")
  static class ReplacedByAll {
    @GET
    @RateLimited("1/1m")
    public void get() {}
  }

  @Test
  void tellsAFaultEvenWhereANearerAnnotationReplacesIt() {
    assertThat(faults(ReplacedByAll.class))
        .extracting(PolicyFault::place)
        .containsExactly(HERE + "ReplacedByAll");
  }

  @Test
  void tellsTheSameFaultOnce() {
    PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
    catalog.discoverAll(BadLimit.class);
    catalog.discoverAll(BadLimit.class);

    assertThat(catalog.faults()).hasSize(1).isEqualTo(catalog.faults());
  }

  @Test
  void refusesToResolveWhatIsFaultyAndResolvesTheRest() throws Exception {
    PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
    Method good = Search.class.getMethod("search");
    Method conflicting = OtherSearch.class.getMethod("search");
    Method bad = BadLimit.class.getMethod("get", String.class);

    assertThat(catalog.resolve(Search.class, good)).isInstanceOf(Resolution.Limited.class);
    assertThatThrownBy(() -> catalog.resolve(OtherSearch.class, conflicting))
        .isInstanceOf(InvalidPolicyException.class);
    assertThatThrownBy(() -> catalog.resolve(BadLimit.class, bad))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("BadLimit#get(String)");
    assertThat(catalog.resolve(Search.class, good)).isInstanceOf(Resolution.Limited.class);
  }

  private static List<PolicyFault> faults(Class<?>... resources) {
    PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
    for (Class<?> resource : resources) {
      catalog.discoverAll(resource);
    }
    return catalog.faults();
  }
}
