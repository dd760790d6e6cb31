package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Charge;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseCheckTest {

  private static final String LOG = "100/1m;algorithm=sliding-window-log";

  private final LeaseCheck check = new LeaseCheck();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void takesWhatTheSmallestLimitAdmits(int lease) {
    assertThat(check.faults(always(policy(lease, Mode.ENFORCE, "1000/1h", "100/1m")))).isEmpty();
  }

  @Test
  void refusesMoreThanTheSmallestLimitAdmits() {
    assertThat(check.faults(always(policy(101, Mode.ENFORCE, "1000/1h", "100/1m"))))
        .containsExactly(
            new PolicyFault(
                "comporta.policies.search.lease",
                "must be at most 100, what the smallest limit of policy 'search' can ever admit,"
                    + " was 101"));
  }

  @Test
  void refusesALogAndAChargeThatDependsOnTheAnswerBothAtOnce() {
    PolicyBinding binding =
        new PolicyBinding(
            policy(10, Mode.ENFORCE, "1000/1h", LOG),
            1,
            Optional.empty(),
            Charge.FAILURES,
            Optional.empty());

    assertThat(check.faults(binding))
        .containsExactly(
            new PolicyFault(
                "comporta.policies.search.lease",
                "must be 1 with a sliding-window-log, was 10 with policy 'search': " + LOG),
            new PolicyFault(
                "comporta.policies.search.lease",
                "must be 1 with any charge but 'always', was 10 with policy 'search': failures"));
  }

  @Test
  void refusesALogOfATier() {
    Policy policy =
        new Policy(
            "search",
            List.of(LimitSpec.parse("100/1m")),
            Map.of("gold", List.of(LimitSpec.parse(LOG))),
            true,
            Mode.ENFORCE,
            10);

    assertThat(check.faults(always(policy))).hasSize(1);
  }

  @Test
  void leavesALogInShadowModeAlone() {
    assertThat(check.faults(always(policy(10, Mode.ENFORCE, "1000/1h", LOG + ";shadow"))))
        .isEmpty();
  }

  @Test
  void saysNothingWhereNothingIsLeasedOrLimited() {
    assertThat(check.faults(always(policy(1, Mode.ENFORCE, LOG)))).isEmpty();
    assertThat(check.faults(always(policy(10, Mode.OFF, LOG)))).isEmpty();
  }

  private static PolicyBinding always(Policy policy) {
    return new PolicyBinding(policy, 1);
  }

  private static Policy policy(int lease, Mode mode, String... limits) {
    return new Policy(
        "search",
        List.of(limits).stream().map(LimitSpec::parse).toList(),
        Map.of(),
        true,
        mode,
        lease);
  }
}
