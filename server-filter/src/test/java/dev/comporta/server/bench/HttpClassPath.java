package dev.comporta.server.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an application that is measured finds on its class path. That of the tests would do for no
 * one: it has every optional library, and the services that tests declare.
 */
final class HttpClassPath {

  private static final List<String> OPTIONAL =
      List.of("micrometer-", "microprofile-", "smallrye-", "weld-", "redisson-", "resilience4j-");

  private HttpClassPath() {}

  /** The library, Jersey on Grizzly and the application; of optional libraries these alone. */
  static String with(String... optional) {
    try {
      Path classes = Files.createTempDirectory("comporta-bench");
      classes.toFile().deleteOnExit();
      copy(HttpApplication.class, classes);
      for (Class<?> nested : HttpApplication.class.getDeclaredClasses()) {
        copy(nested, classes);
      }
      return Stream.concat(
              Stream.of(classes.toString()),
              Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                  .filter(entry -> !entry.endsWith("test-classes"))
                  .filter(entry -> isWanted(Path.of(entry), List.of(optional))))
          .collect(Collectors.joining(File.pathSeparator));
    } catch (IOException e) {
      throw new IllegalStateException("the classes of the application cannot be copied", e);
    }
  }

  private static boolean isWanted(Path entry, List<String> optional) {
    String name = Objects.requireNonNull(entry.getFileName(), "an entry has a name").toString();
    return OPTIONAL.stream().noneMatch(name::startsWith)
        || optional.stream().anyMatch(name::startsWith);
  }

  private static void copy(Class<?> type, Path to) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    Path file = to.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent(), "in a package"));
    try (InputStream code = type.getClassLoader().getResourceAsStream(name)) {
      Files.copy(Objects.requireNonNull(code, name), file);
    }
  }
}
