package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Quota;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuotaReaderTest {

  private static final long NOW = 1_800_000_000_000_000L;

  private final QuotaReader reader =
      new QuotaReader(
          new MemoryLimitStore(10, () -> NOW),
          new PolicyTiers(new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty()), () -> NOW));

  @Test
  void policyThatIsOffHasNoQuota() {
    List<Quota> quotas =
        reader.read(
            List.of(policy("search", Mode.ENFORCE), policy("report", Mode.OFF)),
            policy -> Optional.empty(),
            limit -> Optional.of("{ann}"));

    assertThat(quotas).extracting(Quota::policy).containsExactly("search");
  }

  private static Policy policy(String name, Mode mode) {
    return new Policy(name, List.of(LimitSpec.parse("10/1m")), Map.of(), true, mode);
  }
}
