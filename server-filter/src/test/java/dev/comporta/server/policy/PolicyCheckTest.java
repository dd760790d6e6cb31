package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyCheckTest {

  /** Allows one limit a policy. */
  private static final PolicyCheck ONE_LIMIT =
      binding ->
          binding.policy().limits().size() == 1
              ? List.of()
              : List.of(new PolicyFault("a.setting", binding.policy().name() + " has several"));

  private final PolicyCatalog catalog =
      new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty(), PolicyLookup.NONE, ONE_LIMIT);

  @Test
  void whatItFindsIsAFaultAmongAllOthers() {
    catalog.discoverAll(SeveralAndFaulty.class);

    assertThat(catalog.faults())
        .extracting(PolicyFault::problem)
        .contains("search has several")
        .anyMatch(problem -> problem.contains("'x'"));
  }

  @Test
  void changeThatItRefusesChangesNothing() {
    catalog.discoverAll(One.class);
    assertThat(catalog.faults()).isEmpty();

    List<PolicyFault> faults =
        catalog.override("search", List.of(LimitSpec.parse("1/1s"), LimitSpec.parse("9/1m")));

    assertThat(faults).containsExactly(new PolicyFault("a.setting", "search has several"));
    assertThat(catalog.policy("search").orElseThrow().limits())
        .containsExactly(LimitSpec.parse("5/1m"));
  }

  @Path("several")
  static class SeveralAndFaulty {

    @GET
    @RateLimited(
        policy = "search",
        value = {"1/1s", "9/1m"})
    public String get() {
      return "";
    }

    @GET
    @Path("faulty")
    @RateLimited("x")
    public String faulty() {
      return "";
    }
  }

  @Path("one")
  static class One {

    @GET
    @RateLimited(policy = "search", value = "5/1m")
    public String get() {
      return "";
    }
  }
}
