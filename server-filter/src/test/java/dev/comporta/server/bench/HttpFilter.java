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
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * What the whole filter, with all headers, takes of the throughput of a server: the same resources
 * in several processes, asked in many short turns, each time in another order. The figures are
 * medians of the turns: the machine is faster in one minute than in the next, and so may be the
 * code of one process than that of the next, so all are started anew several times.
 */
final class HttpFilter {

  private static final int STARTS = Integer.getInteger("bench.rounds", 3);
  private static final int TURNS = 30;
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
  private static final int WARM_UPS = 3;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);

  /**
   * Compiles before it goes on. Under load the compilers of a server get little of two cores: after
   * a minute it would still be measured on its way.
   */
  private static final String READY_CODE = "-Xbatch";

  private static final long SEED = 20_261_201;

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
        command.addAll(List.of("-Xmx256m", READY_CODE));
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

  /** What was measured of a row, turn by turn. */
  private record Figures(List<Double> perSecond, List<Double> cpuMicros) {

    Figures() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  static void measure() {
    Map<String, Figures> measured = new LinkedHashMap<>();
    Random order = new Random(SEED);
    try {
      for (int start = 0; start < STARTS; start++) {
        measureOneStart(measured, order);
        System.out.printf("%nAfter %d of %d starts:%n", start + 1, STARTS);
        print(measured);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void measureOneStart(Map<String, Figures> measured, Random order)
      throws InterruptedException {
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
      }
      rows.keySet().forEach(name -> measured.computeIfAbsent(name, absent -> new Figures()));
      List<String> names = new ArrayList<>(rows.keySet());
      for (int turn = 0; turn < TURNS; turn++) {
        Collections.shuffle(names, order);
        for (String name : names) {
          measure(rows.get(name), measured.get(name));
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

  private static void measure(Row row, Figures figures) throws InterruptedException {
    long cpuBefore = row.server().cpuNanos();
    long answered = row.during(TURN_NANOS);
    long cpu = row.server().cpuNanos() - cpuBefore;
    figures.perSecond().add(answered * 1e9 / TURN_NANOS);
    figures.cpuMicros().add(cpu / 1e3 / answered);
  }

  private static void print(Map<String, Figures> measured) {
    System.out.println();
    System.out.println(
        "| server | requests per second, median | of no filter | best | of no filter"
            + " | CPU µs, median | more than no filter |");
    System.out.println("|---|---|---|---|---|---|---|");
    measured.forEach(
        (name, figures) -> {
          Figures plain = measured.getOrDefault(plainOf(name), figures);
          double median = Medians.of(figures.perSecond());
          double best = Collections.max(figures.perSecond());
          double cpu = Medians.of(figures.cpuMicros());
          System.out.printf(
              "| %s | %.0f | %.3f | %.0f | %.3f | %.1f | %.1f |%n",
              name,
              median,
              median / Medians.of(plain.perSecond()),
              best,
              best / Collections.max(plain.perSecond()),
              cpu,
              cpu - Medians.of(plain.cpuMicros()));
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
