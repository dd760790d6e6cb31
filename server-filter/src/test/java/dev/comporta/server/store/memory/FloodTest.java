package dev.comporta.server.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S105: invented identities against a small heap, in a JVM of its own. */
class FloodTest {

  private static final long MOST_MINUTES = 5;

  @TempDir private Path directory;

  @Test
  void aMillionIdentitiesNeitherGrowTheStoreNorFreeWhoIsBeingRefused()
      throws IOException, InterruptedException {
    flood(2, 1_000_000);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void tenMillionIdentitiesNeitherGrowTheStoreNorFreeWhoIsBeingRefused(int threads)
      throws IOException, InterruptedException {
    flood(threads, 10_000_000);
  }

  private void flood(int threads, int identities) throws IOException, InterruptedException {
    Path output = directory.resolve("flood.txt");
    Process flood =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                Flood.class.getName(),
                Integer.toString(threads),
                Integer.toString(identities))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    boolean hasEnded = flood.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
    flood.destroyForcibly();
    String figures = Files.readString(output, StandardCharsets.UTF_8);
    System.out.println(threads + " threads: " + figures.strip());

    assertThat(hasEnded).as(figures).isTrue();
    assertThat(flood.exitValue()).as(figures).isZero();
    assertThat(figures)
        .contains("refusedBefore=1000 refusedAfter=1000 largestSize=" + Flood.STATES + " ");
  }
}
