package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.IntStream;
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
}
