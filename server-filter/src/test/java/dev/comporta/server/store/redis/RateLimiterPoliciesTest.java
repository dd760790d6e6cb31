package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Charge;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyBinding;
import dev.comporta.server.policy.PolicyFault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimiterPoliciesTest {

  private static final String LOG = ";algorithm=sliding-window-log";

  @ParameterizedTest
  @ValueSource(strings = {"100/1m", "100/1m;by=everyone", "1/500ms", "10000/1d;shadow"})
  void takesOneSlidingWindowLogWhoeverItCounts(String limit) {
    assertThat(faults(policy(Mode.ENFORCE, limit + LOG))).isEmpty();
  }

  @Test
  void namesPolicySettingRuleAndValueForEachThingThatItCannotDo() {
    Policy policy =
        new Policy(
            "search",
            List.of(LimitSpec.parse("10/1s" + LOG), LimitSpec.parse("100/1m")),
            Map.of("gold", List.of(LimitSpec.parse("5/day;algorithm=fixed-window"))),
            true);
    PolicyBinding binding =
        new PolicyBinding(policy, 1, Optional.empty(), Charge.FAILURES, Optional.empty());

    List<PolicyFault> faults = new RateLimiterPolicies().faults(binding);

    assertThat(faults).extracting(PolicyFault::place).containsOnly("comporta.redis.engine");
    assertThat(faults)
        .extracting(PolicyFault::problem)
        .satisfiesExactly(
            problem ->
                assertThat(problem)
                    .startsWith("with 'rate-limiter', policy 'search' must have one limit, was 2"),
            problem ->
                assertThat(problem)
                    .startsWith(
                        "with 'rate-limiter', policy 'search' must count with"
                            + " algorithm=sliding-window-log, was 100/1m"),
            problem ->
                assertThat(problem)
                    .startsWith(
                        "with 'rate-limiter', policy 'search', tier 'gold' must count with"
                            + " algorithm=sliding-window-log, was 5/"),
            problem ->
                assertThat(problem)
                    .isEqualTo(
                        "with 'rate-limiter', policy 'search' must charge 'always', since nothing"
                            + " can be given back, was 'failures'"));
  }

  @Test
  void refusesLeases() {
    Policy policy =
        new Policy(
            "search", List.of(LimitSpec.parse("100/1m" + LOG)), Map.of(), true, Mode.ENFORCE, 10);

    assertThat(faults(policy))
        .containsExactly(
            new PolicyFault(
                "comporta.redis.engine",
                "with 'rate-limiter', policy 'search' must have a lease of 1, since nothing can be"
                    + " given back, was 10"));
  }

  @Test
  void leavesAPolicyAloneThatIsOff() {
    assertThat(faults(policy(Mode.OFF, "100/1m"))).isEmpty();
    assertThat(faults(policy(Mode.SHADOW, "100/1m"))).hasSize(1);
  }

  private static List<PolicyFault> faults(Policy policy) {
    return new RateLimiterPolicies().faults(new PolicyBinding(policy, 1));
  }

  private static Policy policy(Mode mode, String limit) {
    return new Policy("search", List.of(LimitSpec.parse(limit)), Map.of(), true, mode);
  }
}
