package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies.Conduct;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.ConfiguredPolicies.Counting;
import jakarta.ws.rs.GET;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PolicyCatalogRaceTest {

  static class Early {
    @GET
    @RateLimited(value = "10/1m", policy = "shared")
    public void get() {}
  }

  static class Late {
    @GET
    @RateLimited(policy = "shared", cost = 2)
    public void get() {}
  }

  @Test
  void resolvesTheSameFromManyThreadsWhileSubResourcesAreDiscovered() throws Exception {
    Method early = Early.class.getMethod("get");
    Method late = Late.class.getMethod("get");

    for (int round = 0; round < 200; round++) {
      PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
      catalog.discover(Early.class, early);
      Resolution first = catalog.resolve(Early.class, early);

      assertThat(
              IntStream.range(0, 16)
                  .parallel()
                  .mapToObj(
                      i ->
                          i % 2 == 0
                              ? catalog.resolve(Early.class, early)
                              : catalog.resolve(Late.class, late))
                  .distinct())
          .hasSize(2)
          .contains(first);
      assertThat(catalog.faults()).isEmpty();
    }
  }

  @Test
  void resolvesEitherWhatWasOrWhatIsWhileTheConfigurationChanges() throws Exception {
    Method early = Early.class.getMethod("get");
    Method late = Late.class.getMethod("get");
    List<ConfiguredPolicies> configurations =
        IntStream.range(10, 20)
            .mapToObj(permits -> configured(permits + "/1m", permits + "/1h"))
            .toList();

    for (int round = 0; round < 50; round++) {
      PolicyCatalog catalog = new PolicyCatalog(configurations.get(0), Optional.empty());
      catalog.discover(Early.class, early);

      assertThat(
              IntStream.range(0, 64)
                  .parallel()
                  .mapToObj(
                      i -> {
                        if (i % 4 == 0) {
                          assertThat(
                                  catalog.reconfigure(
                                      configurations.get(i % 10), PolicyLookup.NONE))
                              .isEmpty();
                        }
                        return i % 2 == 0
                            ? catalog.resolve(Early.class, early)
                            : catalog.resolve(Late.class, late);
                      })
                  .map(resolution -> ((Resolution.Limited) resolution).binding().policy()))
          .allSatisfy(
              policy ->
                  assertThat(policy.limits().get(0).permits())
                      .isEqualTo(policy.limits().get(1).permits()));
      assertThat(catalog.reconfigure(configurations.get(9), PolicyLookup.NONE)).isEmpty();
      assertThat(catalog.sharedPolicies())
          .singleElement()
          .satisfies(
              policy ->
                  assertThat(policy.limits())
                      .containsExactly(LimitSpec.parse("19/1m"), LimitSpec.parse("19/1h")));
    }
  }

  private static ConfiguredPolicies configured(String... limits) {
    String place = "comporta.policies.shared.limits";
    return ConfiguredPolicies.of(
        Map.of(
            "shared",
            new ConfiguredPolicy(
                place,
                Stream.of(limits).map(limit -> new LimitText(place, limit)).toList(),
                Map.of(),
                Counting.AS_ANNOTATED,
                Conduct.AS_ANNOTATED)));
  }
}
