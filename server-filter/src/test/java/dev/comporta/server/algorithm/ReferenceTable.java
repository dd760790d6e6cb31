package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The tables of measured figures in the reference. */
final class ReferenceTable {

  private ReferenceTable() {}

  /** Fails unless the reference has these lines, one after the other. */
  static void assertHolds(List<String> rows) {
    Path page = Path.of("..", "docs", "reference", "algorithms.md");
    try {
      assertThat(Files.readString(page))
          .as("the table of %s, which is to be replaced by what was measured", page)
          .contains(String.join("\n", rows));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
