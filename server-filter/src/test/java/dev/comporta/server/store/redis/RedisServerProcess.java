package dev.comporta.server.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.opentest4j.TestAbortedException;
import redis.embedded.RedisExecProvider;

/**
 * A real Redis on a free port of the loopback interface, which can be stopped, killed, frozen and
 * started again. Nothing is written to disk.
 */
public final class RedisServerProcess implements AutoCloseable {

  /** Names another server than the one that the tests bring. */
  private static final String BINARY = "redis.server";

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int port;
  private final List<String> options;
  private final Optional<Path> file;
  private Optional<Process> process = Optional.empty();

  private RedisServerProcess(int port, List<String> options, Optional<Path> file) {
    this.port = port;
    this.options = options;
    this.file = file;
  }

  /**
   * A server that runs.
   *
   * @param options of the command line, after those that every server here has
   */
  public static RedisServerProcess started(String... options) {
    RedisServerProcess server = notStarted(options);
    server.start();
    return server;
  }

  /** A port at which a server can be started later. */
  public static RedisServerProcess notStarted(String... options) {
    return new RedisServerProcess(freePort(), List.of(options), Optional.empty());
  }

  /** A server that runs by a configuration file, which it may write to, such as a sentinel. */
  public static RedisServerProcess configured(Path file, String... options) {
    RedisServerProcess server =
        new RedisServerProcess(freePort(), List.of(options), Optional.of(file));
    server.start();
    return server;
  }

  /** A port that nobody listens at. */
  static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  int port() {
    return port;
  }

  public String address() {
    return "redis://127.0.0.1:" + port;
  }

  public void start() {
    try {
      Path binary = binary();
      List<String> words = new ArrayList<>(List.of(binary.toString()));
      file.ifPresent(path -> words.add(path.toString()));
      words.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
      if (file.isEmpty()) {
        words.addAll(List.of("--save", "", "--appendonly", "no"));
      }
      words.addAll(options);
      process =
          Optional.of(
              new ProcessBuilder(words)
                  .directory(Files.createTempDirectory("redis").toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .start());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    await("Redis is up", this::isAnswering);
  }

  /**
   * The server that the system property names, else the one that the tests bring. One that is named
   * and cannot run on this machine skips the test, and says so.
   */
  private static Path binary() throws IOException {
    String named = System.getProperty(BINARY, "");
    if (named.isEmpty()) {
      return RedisExecProvider.defaultProvider().get().toPath();
    }
    Path path = Path.of(named);
    if (!path.toFile().setExecutable(true) || !isRunning(path)) {
      throw new TestAbortedException(named + " does not run on this machine");
    }
    return path;
  }

  private static boolean isRunning(Path binary) throws IOException {
    Process asked =
        new ProcessBuilder(binary.toString(), "--version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return asked.onExit().join().exitValue() == 0;
  }

  /** SIGKILL: connections break at once. */
  public void kill() {
    process.ifPresent(
        running -> {
          running.destroyForcibly();
          waitForEnd(running);
        });
    process = Optional.empty();
  }

  /** SIGSTOP: connections stay open, and nothing answers. */
  public void freeze() {
    signal("-STOP");
  }

  /** SIGCONT. */
  public void thaw() {
    signal("-CONT");
  }

  /** Sends a command and returns the raw reply. */
  public String command(String... words) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      socket.setSoTimeout(5_000);
      OutputStream out = socket.getOutputStream();
      out.write(encoded(words));
      out.flush();
      return reply(socket.getInputStream());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** All keys there are. */
  public List<String> keys() {
    return command("KEYS", "*").lines().filter(line -> !line.matches("[*$].*")).toList();
  }

  /** How many calls of that command the server has served. */
  public long callsOf(String command) {
    return command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=([0-9]+),.*", "$1")))
        .sum();
  }

  /** One figure of {@code INFO}, by its name there. */
  public double figure(String name) {
    return command("INFO", "all")
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @Override
  public void close() {
    kill();
  }

  /** Polls until that holds, or fails. */
  public static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited " + PATIENCE + " in vain until " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private boolean isAnswering() {
    try {
      String answer = command("PING");
      return answer.startsWith("+PONG") || answer.startsWith("-NOAUTH");
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private void signal(String signal) {
    try {
      waitForEnd(
          new ProcessBuilder("kill", signal, Long.toString(process.orElseThrow().pid())).start());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void waitForEnd(Process ending) {
    await("the process has ended", () -> !ending.isAlive());
  }

  private static byte[] encoded(String... words) {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return request.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** One reply, with the elements of an array on lines of their own. */
  private static String reply(InputStream in) throws IOException {
    String head = line(in);
    if (head.startsWith("$") && !head.equals("$-1")) {
      int length = Integer.parseInt(head.substring(1));
      return new String(in.readNBytes(length + 2), StandardCharsets.US_ASCII).strip();
    }
    if (head.startsWith("*")) {
      StringBuilder all = new StringBuilder(head);
      for (int i = 0; i < Integer.parseInt(head.substring(1)); i++) {
        all.append('\n').append(reply(in));
      }
      return all.toString();
    }
    return head;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    while (c != '\n') {
      if (c < 0) {
        throw new IOException("the server closed the connection");
      }
      line.append((char) c);
      c = in.read();
    }
    return line.toString().strip();
  }
}
