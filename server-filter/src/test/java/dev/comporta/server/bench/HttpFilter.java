package dev.comporta.server.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What the whole filter, with all headers, takes of the throughput of a server: the same resource
 * in two processes, asked in turn.
 */
final class HttpFilter {

  private static final int ROUNDS = 12;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(3);

  private HttpFilter() {}

  /** A server process. */
  private record Server(Process process, HttpCalls calls) implements AutoCloseable {

    static Server start(String kind, String classPath) {
      try {
        int port = freePort();
        Process process =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-cp",
                    classPath,
                    HttpApplication.class.getName(),
                    kind,
                    Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        if (!"ready".equals(out.readLine())) {
          throw new IllegalStateException("the server has not started");
        }
        return new Server(process, new HttpCalls(port));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    long cpuNanos() {
      String answer = calls.one("/cpu");
      return Long.parseLong(answer.substring(answer.lastIndexOf('\n') + 1).strip());
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  private static final class Best {
    private double perSecond;
    private double cpuMicros = Double.MAX_VALUE;
  }

  static void measure() {
    String bare = HttpClassPath.with();
    String metered = HttpClassPath.with("micrometer-");
    try (Server plain = Server.start("plain", bare);
        Server constant = Server.start("constant", bare);
        Server limited = Server.start("limited", bare);
        Server limitedAndMetered = Server.start("limited", metered)) {
      System.out.println(limited.calls().one("/books").split("\r\n\r\n", 2)[0]);
      Map<String, Server> servers = new LinkedHashMap<>(Map.of("no filter", plain));
      servers.put("five constant headers, nothing decided", constant);
      servers.put("filter, all headers", limited);
      servers.put("filter, all headers, Micrometer", limitedAndMetered);
      Map<String, Best> best = new LinkedHashMap<>();
      for (Server server : servers.values()) {
        server.calls().during(WARM_UP_NANOS, "/books");
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Map.Entry<String, Server> server : servers.entrySet()) {
          measure(server.getValue(), best.computeIfAbsent(server.getKey(), name -> new Best()));
        }
      }
      print(best);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void measure(Server server, Best best) throws InterruptedException {
    long cpuBefore = server.cpuNanos();
    long answered = server.calls().during(ROUND_NANOS, "/books");
    long cpu = server.cpuNanos() - cpuBefore;
    best.perSecond = Math.max(best.perSecond, answered * 1e9 / ROUND_NANOS);
    best.cpuMicros = Math.min(best.cpuMicros, cpu / 1e3 / answered);
  }

  private static void print(Map<String, Best> best) {
    Best plain = best.values().iterator().next();
    System.out.println();
    System.out.println("| server | requests per second, best | of no filter | CPU µs, best |");
    System.out.println("|---|---|---|---|");
    best.forEach(
        (name, figures) ->
            System.out.printf(
                "| %s | %.0f | %.3f | %.1f |%n",
                name, figures.perSecond, figures.perSecond / plain.perSecond, figures.cpuMicros));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
