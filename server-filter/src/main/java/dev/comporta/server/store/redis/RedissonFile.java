package dev.comporta.server.store.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.redisson.config.Config;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Reads the Redisson configuration of a file. A class of its own, so that nothing of YAML is loaded
 * where an address is given.
 */
final class RedissonFile {

  private RedissonFile() {}

  /**
   * What that file says.
   *
   * @throws IllegalArgumentException if it is not valid. The message tells the line at most and
   *     there is no cause: the messages of the parser quote the file, which may hold a password.
   */
  static Config read(Path path) {
    @Nullable Config config; // null if the file says nothing
    try {
      config = Config.fromYAML(path.toFile());
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "the Redisson configuration must be a readable file, was " + named(path));
    } catch (RuntimeException invalid) {
      throw new IllegalArgumentException(
          "the Redisson configuration must be valid, was faulty"
              + line(invalid).map(line -> " at line " + line).orElse("")
              + ": "
              + named(path));
    }
    if (config == null) {
      throw new IllegalArgumentException(
          "the Redisson configuration must name a server, was empty: " + named(path));
    }
    return config;
  }

  private static String named(Path path) {
    return path + " (comporta.redis.config-file)";
  }

  /** That of the innermost cause which tells one: those around it tell where a block begins. */
  private static Optional<Integer> line(Throwable invalid) {
    Optional<Integer> innermost =
        Optional.ofNullable(invalid.getCause()).flatMap(RedissonFile::line);
    return innermost.isPresent() || !(invalid instanceof MarkedYAMLException marked)
        ? innermost
        : Optional.ofNullable(marked.getProblemMark()).map(Mark::getLine).map(line -> line + 1);
  }
}
