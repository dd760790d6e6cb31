package dev.comporta.example;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.wildfly.core.launcher.StandaloneCommandBuilder;

/**
 * A WildFly process of its own with the example in it: the server of the tests, on free ports of
 * the loopback interface, with a base directory of its own.
 */
final class WildFlyNode implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Process process;
  private final Path log;
  private final Path failure;
  private final URI root;

  private WildFlyNode(Process process, Path base, URI root) {
    this.process = process;
    this.log = log(base);
    this.failure = failure(base);
    this.root = root;
  }

  /** Starts a node. It answers once {@link #awaitReady()} has returned. */
  static WildFlyNode start(String name, Map<String, String> configuration) throws IOException {
    Path home = Path.of(System.getProperty("jboss.home"));
    Path base = Files.createDirectories(home.resolveSibling("nodes")).resolve(name);
    copy(home.resolve("standalone/configuration"), base.resolve("configuration"));
    Path deployments = Files.createDirectories(base.resolve("deployments"));
    Files.copy(
        ExampleArchive.file().toPath(),
        deployments.resolve("comporta-example.war"),
        StandardCopyOption.REPLACE_EXISTING);
    int port = freePort();
    StandaloneCommandBuilder command =
        StandaloneCommandBuilder.of(home)
            .setBaseDirectory(base)
            .addJavaOptions("-Xmx512m")
            .addServerArgument("-Djboss.http.port=" + port)
            .addServerArgument("-Djboss.management.http.port=" + freePort());
    configuration.forEach((key, value) -> command.addServerArgument("-D" + key + "=" + value));
    Files.deleteIfExists(failure(base));
    Process process =
        new ProcessBuilder(command.build())
            .redirectErrorStream(true)
            .redirectOutput(log(base).toFile())
            .start();
    return new WildFlyNode(process, base, URI.create("http://127.0.0.1:" + port + "/"));
  }

  /** Waits until the example answers. */
  HttpApi awaitReady() {
    HttpApi api = new HttpApi(root);
    if (!Polling.until(PATIENCE, () -> isReady(api) || hasFailed()) || hasFailed()) {
      throw new AssertionError("no example at " + root + ":\n" + told());
    }
    return api;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static Path log(Path base) {
    return base.resolve("console.log");
  }

  /** What the deployment scanner leaves when it could not deploy. */
  private static Path failure(Path base) {
    return base.resolve("deployments/comporta-example.war.failed");
  }

  private boolean hasFailed() {
    return !process.isAlive() || Files.exists(failure);
  }

  private static boolean isReady(HttpApi api) {
    try {
      return api.get("api/status").statusCode() == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private String told() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (File file : files.map(Path::toFile).filter(File::isFile).toList()) {
        Files.copy(file.toPath(), to.resolve(file.getName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
