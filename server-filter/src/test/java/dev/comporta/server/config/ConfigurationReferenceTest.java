package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference page tells every setting as the code does. */
class ConfigurationReferenceTest {

  private static final Path PAGE = Path.of("../docs/reference/configuration.md");

  @Test
  void tableHasEverySettingWithItsDefaultAndMeaning() throws IOException {
    String table =
        Arrays.stream(SettingKey.values())
            .map(ConfigurationReferenceTest::row)
            .collect(Collectors.joining("\n"));

    assertThat(Files.readString(PAGE))
        .as("replace the rows of %s by these:%n%s", PAGE, table)
        .contains(
            "| setting | default | changes | meaning |\n|---|---|---|---|\n" + table + "\n\n");
  }

  private static String row(SettingKey key) {
    String standing =
        key.defaultText().isEmpty()
            ? ""
            : key.defaultText().contains(" ") ? key.defaultText() : "`" + key.defaultText() + "`";
    String changes = key.isLive() ? "live" : "restart";
    return String.join(" | ", "| `" + key.pattern() + "`", standing, changes, key.meaning() + " |");
  }
}
