package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies.Conduct;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.ConfiguredPolicies.Counting;
import jakarta.ws.rs.GET;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LimitTextTest {

  private static final ZoneId LISBON = ZoneId.of("Europe/Lisbon");

  /** More than a token bucket can count exactly at that rate, and not too much for a window. */
  private static final String EXTREME = "2147483647/1ms";

  @Test
  void knowsWhatItStates() {
    LimitText limit = new LimitText("k", " 100/1m; BY = everyone;shadow ");

    assertThat(limit.text()).isEqualTo("100/1m; BY = everyone;shadow");
    assertThat(limit.states("by")).isTrue();
    assertThat(limit.states("shadow")).isTrue();
    assertThat(limit.states("algorithm")).isFalse();
    assertThat(limit.statesAlgorithm()).isFalse();
    assertThat(new LimitText("k", "1/1s;algorithm=fixed-window").statesAlgorithm()).isTrue();
    assertThat(new LimitText("k", "100/day").statesAlgorithm()).isTrue();
    assertThat(new LimitText("k", "100/1d").statesAlgorithm()).isFalse();
  }

  @Test
  void givesACalendarWindowTheZoneThatItDoesNotName() {
    assertThat(LimitText.withZone("9/day", LISBON)).isEqualTo("9/day;zone=Europe/Lisbon");
    assertThat(LimitText.withZone("9/month;by=address", LISBON))
        .isEqualTo("9/month;by=address;zone=Europe/Lisbon");
    assertThat(LimitText.withZone("9/day;zone=UTC", LISBON)).isEqualTo("9/day;zone=UTC");
    assertThat(LimitText.withZone("9/day", ZoneOffset.UTC)).isEqualTo("9/day");
    assertThat(LimitText.withZone("9/1d", LISBON)).isEqualTo("9/1d");
  }

  @Test
  void countsAsItIsTold() {
    LimitText limit = new LimitText("k", "10/1m");

    assertThat(
            limit.spec(
                Algorithm.SLIDING_WINDOW_COUNTER, CountedFor.each(By.ADDRESS), ZoneOffset.UTC))
        .isEqualTo(
            LimitSpec.parse("10/1m")
                .countedBy(Algorithm.SLIDING_WINDOW_COUNTER)
                .perEach(By.ADDRESS));
  }

  @Test
  void isCheckedForSomeAlgorithm() {
    assertThat(LimitText.checked("k", EXTREME).text()).isEqualTo(EXTREME);
    assertThatThrownBy(() -> LimitText.checked("k", "0/1m")).hasMessageContaining("'0/1m'");
    assertThatThrownBy(() -> LimitText.checked("k", "many")).hasMessageContaining("'many'");
  }

  static class Resource {
    @GET
    @RateLimited(policy = "plain", value = "10/1m")
    public void plain() {}

    @GET
    @RateLimited(
        policy = "windowed",
        limits = @Limit(value = EXTREME, algorithm = Algorithm.SLIDING_WINDOW_COUNTER))
    public void windowed() {}
  }

  @Test
  void namesTheSettingWhoseLimitCannotCountAsItsPolicyDoes() {
    String place = "comporta.policies.plain.limits";
    ConfiguredPolicy extreme =
        new ConfiguredPolicy(
            place,
            List.of(new LimitText(place, EXTREME)),
            Map.of(),
            Counting.AS_ANNOTATED,
            Conduct.AS_ANNOTATED);

    assertThat(faults("plain", extreme))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.place()).isEqualTo(place);
              assertThat(fault.problem())
                  .isEqualTo(
                      "policy 'plain': burst is too large to be counted exactly at this rate, was"
                          + " 2147483647 in '2147483647/1ms'");
            });
    assertThat(faults("windowed", extreme)).isEmpty();
  }

  @Test
  void namesTheSettingThatMakesAnAnnotatedLimitCountAsItCannot() {
    String place = "comporta.policies.windowed.algorithm";

    assertThat(faults("windowed", counting(place, Algorithm.TOKEN_BUCKET)))
        .singleElement()
        .satisfies(fault -> assertThat(fault.place()).isEqualTo(place));
    assertThat(faults("windowed", counting(place, Algorithm.SLIDING_WINDOW_COUNTER))).isEmpty();
  }

  private static ConfiguredPolicy counting(String place, Algorithm algorithm) {
    return new ConfiguredPolicy(
        place,
        List.of(),
        Map.of(),
        new Counting(Optional.of(algorithm), Optional.empty()),
        Conduct.AS_ANNOTATED);
  }

  private static List<PolicyFault> faults(String name, ConfiguredPolicy policy) {
    PolicyCatalog catalog =
        new PolicyCatalog(ConfiguredPolicies.of(Map.of(name, policy)), Optional.empty());
    catalog.discoverAll(Resource.class);
    return catalog.faults();
  }
}
