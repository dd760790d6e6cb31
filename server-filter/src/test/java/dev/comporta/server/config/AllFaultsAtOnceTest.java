package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.config.SettingsReader.Reading;
import dev.comporta.server.policy.InvalidPolicyException;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyFault;
import jakarta.ws.rs.GET;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllFaultsAtOnceTest {

  private static final String RESOURCE = AllFaultsAtOnceTest.class.getName() + "$Books";

  static class Books {
    @GET
    @RateLimited(policy = "search")
    public void search(String words) {}

    @GET
    @RateLimited(policy = "serch")
    public void misspelt(String words) {}

    @GET
    @RateLimited(value = "10/1m", cost = 20)
    public void report() {}
  }

  @Test
  void namesEveryFaultWithItsPlaceInOneMessage() {
    Reading reading =
        SettingsReader.read(
            MapSource.of(
                "comporta.polices.search.limits", "100/1m",
                "comporta.policies.search.limits", "0/1m"),
            "library");
    PolicyCatalog catalog =
        new PolicyCatalog(reading.settings().policies(), Optional.empty(), reading.lookup());
    catalog.discoverAll(Books.class);
    List<PolicyFault> faults = new ArrayList<>(reading.faults());
    faults.addAll(catalog.faults());

    InvalidPolicyException exception = new InvalidPolicyException(faults);

    assertThat(exception.faults()).hasSize(4);
    assertThat(exception)
        .hasMessageContaining("4 fault(s)")
        .hasMessageContaining(
            "no such setting; nearest: comporta.policies.search.limits"
                + " (comporta.polices.search.limits)")
        .hasMessageContaining(
            "permits must be 1 to 2147483647, was '0/1m' (comporta.policies.search.limits)")
        .hasMessageContaining(
            "cost must be at most 10, what the smallest limit of policy"
                + " 'AllFaultsAtOnceTest.Books.report()' can ever admit, was 20 ("
                + RESOURCE
                + "#report())")
        .hasMessageContaining(
            "unknown policy 'serch'; nearest: 'search' (" + RESOURCE + "#misspelt(String))");
  }
}
