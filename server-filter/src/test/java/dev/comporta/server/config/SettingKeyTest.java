package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SettingKeyTest {

  @ParameterizedTest
  @EnumSource
  void saysWhatItMeans(SettingKey setting) {
    assertThat(setting.pattern()).startsWith(Source.PREFIX);
    assertThat(setting.meaning()).endsWith(".");
    assertThat(setting.names(setting.pattern())).isPresent();
  }

  @Test
  void isUnambiguous() {
    assertThat(Arrays.stream(SettingKey.values()).map(SettingKey::pattern)).doesNotHaveDuplicates();
  }

  @Test
  void findsTheNamesInAKeyAndPutsThemBack() {
    SettingKey setting = SettingKey.POLICY_TIER_LIMITS;
    String key = "comporta.policies.search.tiers.gold.limits";

    assertThat(setting.names(key)).contains(List.of("search", "gold"));
    assertThat(setting.key("search", "gold")).isEqualTo(key);
    assertThat(setting.names("comporta.policies.search.tiers.gold")).isEmpty();
    assertThat(setting.names("comporta.policies.search.tiers.gold.limit")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NAMESPACE", "POLICY_ALGORITHM", "POLICY_BY", "POLICY_MODE", "POLICY_CHARGE"})
  void documentsADefaultThatIsTheOneInForce(SettingKey setting) {
    if (setting.defaultText().isEmpty()) {
      return;
    }
    Settings byDefault = SettingsReader.read(MapSource.of(), "x").settings();
    SettingsReader.Reading spelt =
        SettingsReader.read(MapSource.of(setting.pattern(), setting.defaultText()), "x");

    assertThat(spelt.faults()).isEmpty();
    assertThat(spelt.settings().toString()).isEqualTo(byDefault.toString());
  }
}
