package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.caller.ApiKey;
import dev.comporta.server.policy.LimitText;
import dev.comporta.server.policy.PolicyFault;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamesInEnvironmentTest {

  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final String OTHER_HASH = "fedcba9876543210".repeat(4);

  @Test
  void tellsTheNameOfAnApiKey() {
    Source source = MapSource.of().withEnvironment("COMPORTA_API_KEYS_BIG_PARTNER_SHA256", HASH);

    assertThat(read(source).settings().callers().apiKeys())
        .extracting(ApiKey::name)
        .containsExactly("big_partner");
  }

  @Test
  void leavesAVariableToTheKnownNameThatIsWrittenSo() {
    Source source =
        MapSource.of("comporta.api-keys.My-Key.sha256", HASH)
            .withEnvironment("COMPORTA_API_KEYS_MY_KEY_SHA256", OTHER_HASH);

    assertThat(read(source).faults()).isEmpty();
    assertThat(read(source).settings().callers().apiKeys())
        .extracting(ApiKey::name)
        .containsExactly("My-Key");
  }

  @Test
  void tellsTheTiersOfRolesAndOfPolicies() {
    Source source =
        MapSource.of("comporta.policies.search.limits", "1/1m")
            .withEnvironment(
                "COMPORTA_TIERS_GOLD_ROLES", "partner,friend",
                "COMPORTA_POLICIES_SEARCH_TIERS_GOLD_LIMITS", "9/1m",
                "COMPORTA_POLICIES_SEARCH_TIERS_BASIC_LIMITS", "2/1m",
                "COMPORTA_POLICIES_BOOK_SEARCH_TIERS_BASIC_LIMITS", "3/1m");
    SettingsReader.Reading reading = read(source);

    assertThat(reading.faults()).isEmpty();
    assertThat(reading.settings().callers().tierRoles())
        .containsOnlyKeys("gold")
        .containsEntry("gold", Set.of("partner", "friend"));
    assertThat(reading.lookup().find("search", fault -> {}).orElseThrow().tiers())
        .containsOnlyKeys("basic", "gold")
        .containsEntry(
            "gold", List.of(new LimitText("comporta.policies.search.tiers.gold.limits", "9/1m")));
    assertThat(reading.lookup().find("book-search", fault -> {}).orElseThrow().tiers())
        .containsOnlyKeys("basic");
  }

  @Test
  void checksAValueThatOnlyAVariableGives() {
    Source source = MapSource.of().withEnvironment("COMPORTA_API_KEYS_PARTNER_SHA256", "hush");

    assertThat(read(source).faults())
        .extracting(PolicyFault::place)
        .containsExactly("comporta.api-keys.partner.sha256");
  }

  @Test
  void takesNoNameFromWhatPlatformsInvent() {
    Source source =
        MapSource.of()
            .withEnvironment(
                "COMPORTA_PORT", "tcp://10.0.0.1:80",
                "COMPORTA_API_KEYS_HEADER", "X-Key",
                "COMPORTA_API_KEYS_PORT", "tcp://10.0.0.1:80",
                "COMPORTA_TIERS_SERVICE_HOST", "10.0.0.1");
    SettingsReader.Reading reading = read(source);

    assertThat(reading.faults()).isEmpty();
    assertThat(reading.settings().callers().apiKeys()).isEmpty();
    assertThat(reading.settings().callers().tierRoles()).isEmpty();
  }

  private static SettingsReader.Reading read(Source source) {
    return SettingsReader.read(source, "library");
  }
}
