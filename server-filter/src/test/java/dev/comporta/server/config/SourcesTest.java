package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.caller.ApiKey;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SourcesTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "COMPORTA_PORT", "tcp://10.0.0.1:80",
          "COMPORTA_STORE", "redis",
          "COMPORTA_POLICIES_BOOK_SEARCH_LIMITS", "7/1m");

  @AfterEach
  void clearSystemProperties() {
    System.clearProperty("comporta.store");
    System.clearProperty("comporta.policies.search.limits");
  }

  @Test
  void readsSystemPropertiesThenTheEnvironment() {
    Source source = new SystemSource(ENVIRONMENT);

    assertThat(source.value("comporta.store")).contains("redis");
    assertThat(source.value("comporta.policies.book-search.limits")).contains("7/1m");
    assertThat(source.value("comporta.namespace")).isEmpty();

    System.setProperty("comporta.store", "memory");
    assertThat(source.value("comporta.store")).contains("memory");
    System.setProperty("comporta.store", "");
    assertThat(source.value("comporta.store")).contains("redis");
  }

  @Test
  void listsDottedKeysAlone() {
    System.setProperty("comporta.policies.search.limits", "1/1m");

    assertThat(new SystemSource(ENVIRONMENT).keys())
        .containsExactly("comporta.policies.search.limits");
  }

  @Test
  void readsMicroProfileConfigTheSameWay() {
    Source source =
        new MicroProfileSource(config(Map.of("comporta.policies.search.limits", "1/1m")));

    assertThat(source.value("comporta.store")).contains("redis");
    assertThat(source.value("comporta.policies.book-search.limits")).contains("7/1m");
    assertThat(source.value("comporta.policies.search.limits")).contains("1/1m");
    assertThat(source.value("comporta.namespace")).isEmpty();
    assertThat(source.keys()).containsExactly("comporta.policies.search.limits");
  }

  @Test
  void listsTheVariablesOfTheEnvironmentInBothSources() {
    String[] variables = {
      "COMPORTA_POLICIES_BOOK_SEARCH_LIMITS", "COMPORTA_PORT", "COMPORTA_STORE"
    };

    assertThat(new SystemSource(ENVIRONMENT).variables()).containsExactly(variables);
    assertThat(new MicroProfileSource(config(Map.of())).variables()).containsExactly(variables);
    assertThat(new SystemSource(Map.of("COMPORTA_STORE", " ", "OTHER", "x")).variables()).isEmpty();
  }

  @Test
  void takesAnApiKeyAndItsTierFromTheEnvironmentAloneInBothSources() {
    Map<String, String> environment =
        Map.of(
            "COMPORTA_PORT", "tcp://10.0.0.1:80",
            "COMPORTA_API_KEYS_PARTNER_SHA256", "0123456789abcdef".repeat(4),
            "COMPORTA_API_KEYS_PARTNER_TIER", "gold",
            "COMPORTA_API_KEYS_EMPTY_SHA256", "");
    SmallRyeConfig config =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .withSources(new EnvConfigSource(environment, 300))
            .build();

    for (Source source : List.of(new SystemSource(environment), new MicroProfileSource(config))) {
      SettingsReader.Reading reading = SettingsReader.read(source, "library");

      assertThat(reading.faults()).isEmpty();
      assertThat(reading.settings().callers().apiKeys())
          .containsExactly(
              new ApiKey("partner", "0123456789abcdef".repeat(4), Optional.of("gold")));
    }
  }

  @Test
  void takesEmptyValuesOfMicroProfileConfigAsAbsent() {
    Source source = new MicroProfileSource(config(Map.of("comporta.namespace", "")));

    assertThat(source.value("comporta.namespace")).isEmpty();
  }

  @Test
  void listsAMisspeltKeyAlsoWhenTheEnvironmentHasOneLikeIt() {
    Source source = new MicroProfileSource(config(Map.of("comporta.port", "80")));

    assertThat(source.keys()).containsExactly("comporta.port");
  }

  @Test
  void tellsAnExpressionThatCannotBeResolved() {
    Source source = new MicroProfileSource(config(Map.of("comporta.store", "${no.such.key}")));

    assertThatThrownBy(() -> source.value("comporta.store"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expression");
    assertThat(SettingsReader.read(source, "library").faults())
        .singleElement()
        .satisfies(fault -> assertThat(fault.place()).isEqualTo("comporta.store"));
  }

  @Test
  void readsTheWholeConfigurationThroughSmallRye() {
    Source source =
        new MicroProfileSource(
            config(
                Map.of(
                    "comporta.redis.address", "redis://localhost:6379",
                    "comporta.trusted-proxies", "10.0.0.0/8,192.168.0.0/16",
                    "comporta.policies.search.limits", "10/1s,100/1m")));

    SettingsReader.Reading reading = SettingsReader.read(source, "library");

    assertThat(reading.faults()).isEmpty();
    assertThat(reading.settings().store().kind()).isEqualTo(StoreSettings.Kind.REDIS);
    assertThat(reading.settings().policies().byName()).containsOnlyKeys("search");
  }

  @Test
  void findsASourceOnThisServer() {
    assertThat(Source.ofServer()).isInstanceOf(MicroProfileSource.class);
    assertThat(Sources.isVisible("no.such.Class")).isFalse();
  }

  private static SmallRyeConfig config(Map<String, String> properties) {
    return new SmallRyeConfigBuilder()
        .addDefaultInterceptors()
        .withSources(new EnvConfigSource(ENVIRONMENT, 300))
        .withSources(new PropertiesConfigSource(properties, "test", 400))
        .build();
  }
}
