package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

class ExampleArchiveIT {

  @Test
  void theWarHasTheFilterAndNothingThatIsNotOfTheServer() throws IOException {
    try (ZipFile war = new ZipFile(ExampleArchive.file())) {
      List<String> names = war.stream().map(ZipEntry::getName).toList();

      assertThat(names)
          .anyMatch(name -> name.contains("comporta-server-filter"))
          .noneMatch(name -> name.contains("client"))
          .noneMatch(name -> name.contains("/demo/"))
          .noneMatch(name -> name.contains("slf4j"))
          .noneMatch(name -> name.contains("jersey"));
    }
  }
}
