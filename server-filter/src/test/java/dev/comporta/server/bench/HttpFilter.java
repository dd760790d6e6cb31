package dev.comporta.server.bench;

import dev.comporta.server.store.redis.RedisServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What the whole filter, with all headers, takes of the throughput of a server: the same resources
 * in several processes, asked in turn. One process differs from the next by a tenth, as it happens
 * to be compiled, so all are started anew several times.
 */
final class HttpFilter {

  private static final int STARTS = Integer.getInteger("bench.rounds", 3);
  private static final int TURNS = 4;
  private static final int WARM_UPS = 3;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** Under load the compilers of a server get little of two cores: it would be measured unready. */
  private static final Duration REST = Duration.ofSeconds(10);

  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final String NO_FILTER = "no filter";
  private static final String CATALOGUE = "20 books as JSON: ";

  private HttpFilter() {}

  /** A server process. */
  private record Server(Process process, HttpCalls calls) implements AutoCloseable {

    static Server start(String kind, String classPath, String... settings) {
      try {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.addAll(List.of(settings));
        command.addAll(List.of("-cp", classPath, HttpApplication.class.getName()));
        command.addAll(List.of(kind, Integer.toString(port)));
        Process process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
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

  /** What is asked of a server, and the status that it answers. */
  private record Row(Server server, String path, int status) {

    static Row of(Server server) {
      return new Row(server, "/books", 200);
    }

    long during(long nanos) throws InterruptedException {
      return server.calls().during(nanos, path, status);
    }
  }

  private static final class Best {
    private double perSecond;
    private double cpuMicros = Double.MAX_VALUE;
  }

  static void measure() {
    Map<String, Best> best = new LinkedHashMap<>();
    try {
      for (int start = 0; start < STARTS; start++) {
        measureOneStart(best);
        System.out.printf("%nAfter %d of %d starts:%n", start + 1, STARTS);
        print(best);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void measureOneStart(Map<String, Best> best) throws InterruptedException {
    String bare = HttpClassPath.with();
    String metered = HttpClassPath.with("micrometer-");
    try (RedisServerProcess redis = RedisServerProcess.started();
        Server plain = Server.start("plain", bare);
        Server constant = Server.start("constant", bare);
        Server limited = Server.start("limited", bare);
        Server limitedAndMetered = Server.start("limited", metered);
        Server shared = sharing(redis)) {
      System.out.println(limited.calls().one("/books").split("\r\n\r\n", 2)[0]);
      Map<String, Row> rows = new LinkedHashMap<>();
      rows.put(NO_FILTER, Row.of(plain));
      rows.put("five constant headers, nothing decided", Row.of(constant));
      rows.put("filter, all headers", Row.of(limited));
      rows.put("filter, all headers, Micrometer", Row.of(limitedAndMetered));
      rows.put("filter, Redis, one caller admitted", Row.of(shared));
      rows.put("filter, Redis, one caller admitted, leases of 50", new Row(shared, "/leased", 200));
      rows.put("filter, Redis, one caller refused", spent(shared));
      rows.put(CATALOGUE + NO_FILTER, catalogue(plain));
      rows.put(CATALOGUE + "filter, all headers", catalogue(limited));
      rows.put(CATALOGUE + "filter, all headers, Micrometer", catalogue(limitedAndMetered));
      for (int pass = 0; pass < WARM_UPS; pass++) {
        for (Row row : rows.values()) {
          row.during(WARM_UP_NANOS);
        }
        Thread.sleep(REST.toMillis());
      }
      for (int turn = 0; turn < TURNS; turn++) {
        for (Map.Entry<String, Row> row : rows.entrySet()) {
          measure(row.getValue(), best.computeIfAbsent(row.getKey(), name -> new Best()));
        }
      }
      requireDecidedBy(redis);
    }
  }

  private static Server sharing(RedisServerProcess redis) {
    return Server.start(
        "limited",
        HttpClassPath.with("redisson-", "resilience4j-"),
        "-Dcomporta.store=redis",
        "-Dcomporta.redis.address=" + redis.address(),
        "-Dcomporta.policies.leased.lease=50",
        // On a busy machine, too, Redis is measured and not what stands in for it.
        "-Dcomporta.store-budget=10s");
  }

  private static Row catalogue(Server server) {
    return new Row(server, "/catalogue", 200);
  }

  /** A row of refusals: the one permit of the day is taken. */
  private static Row spent(Server server) {
    server.calls().one("/spent");
    return new Row(server, "/spent", 429);
  }

  /** A server that had fallen back to its own memory would be measured for nothing. */
  private static void requireDecidedBy(RedisServerProcess redis) {
    if (redis.callsOf("evalsha") < TURNS) {
      throw new IllegalStateException("the server has not asked Redis");
    }
  }

  private static void measure(Row row, Best best) throws InterruptedException {
    long cpuBefore = row.server().cpuNanos();
    long answered = row.during(ROUND_NANOS);
    long cpu = row.server().cpuNanos() - cpuBefore;
    best.perSecond = Math.max(best.perSecond, answered * 1e9 / ROUND_NANOS);
    best.cpuMicros = Math.min(best.cpuMicros, cpu / 1e3 / answered);
  }

  private static void print(Map<String, Best> best) {
    System.out.println();
    System.out.println("| server | requests per second, best | of no filter | CPU µs, best |");
    System.out.println("|---|---|---|---|");
    best.forEach(
        (name, figures) -> {
          Best plain = best.getOrDefault(plainOf(name), figures);
          System.out.printf(
              "| %s | %.0f | %.3f | %.1f |%n",
              name, figures.perSecond, figures.perSecond / plain.perSecond, figures.cpuMicros);
        });
  }

  /** The row of the same resource without the filter. */
  private static String plainOf(String name) {
    return (name.startsWith(CATALOGUE) ? CATALOGUE : "") + NO_FILTER;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
