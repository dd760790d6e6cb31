package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.sim.Behaviour;
import dev.comporta.client.sim.Outcome;
import dev.comporta.client.sim.SimulatedServer;
import dev.comporta.client.sim.Simulation;
import dev.comporta.client.sim.Workload;
import dev.comporta.example.loop.LoopApplication;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.http.Dialect;
import dev.comporta.server.policy.LimitSpec;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.Filters;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both halves of Comporta against each other over HTTP: every algorithm, one client and eight on
 * one quota. What they reach is printed beside what the simulation says of the same time.
 */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class ClosedLoopIT {

  private static final Duration LENGTH = Duration.ofSeconds(20);
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Map<Integer, Integer> THREADS = new TreeMap<>(Map.of(1, 16, 8, 4));
  private static final List<Dialect> TOLD_MORE = List.of(Dialect.values());
  private static final int SEEDS = 3;

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  URL root;

  /** Who calls what, and when it began, in micros since the epoch. */
  private record Scene(Algorithm algorithm, int clients, long startMicros) {}

  /** Goodput as a part of what a sender without delay is admitted, and refused as a part of all. */
  private record Figures(double goodputPercent, double refusedPercent) {

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.1f / %.2f", goodputPercent, refusedPercent);
    }
  }

  @Deployment
  static WebArchive loop() {
    WebArchive example = ShrinkWrap.createFromZipFile(WebArchive.class, ExampleArchive.file());
    return ShrinkWrap.create(WebArchive.class, "loop.war")
        .merge(example, Filters.include("/WEB-INF/lib/.*"))
        .addPackage(LoopApplication.class.getPackage())
        .addAsResource(new StringAsset(settings()), "META-INF/microprofile-config.properties");
  }

  private static String settings() {
    String keys =
        THREADS.keySet().stream()
            .map(ClosedLoopIT::key)
            .flatMap(key -> Stream.of(key, "unmeasured-" + key))
            .map(ExampleArchive::key)
            .collect(Collectors.joining());
    return "comporta.headers=legacy,ietf,hints\n" + keys;
  }

  private static String key(int clients) {
    return "clients-" + clients;
  }

  @ParameterizedTest
  @ValueSource(strings = {"100/1s", "600/1m"})
  void pacedClientsUseTheQuotaAndAreHardlyRefused(String limit)
      throws InterruptedException, ExecutionException {
    Map<Scene, Crowd.Result> results = new LinkedHashMap<>();
    for (int clients : THREADS.keySet()) {
      run(limit, clients, WARM_UP, "unmeasured-");
      results.putAll(run(limit, clients, LENGTH, ""));
    }

    List<String> table = new ArrayList<>();
    results.forEach((scene, result) -> table.add(row(limit, scene, result)));
    System.out.printf("| %s for 20 s | over HTTP | simulated |%n|---|---|---|%n", limit);
    table.forEach(System.out::println);
    results.forEach(
        (scene, result) -> {
          assertThat(result.refusedPercent()).as("%s: %s", scene, result).isLessThanOrEqualTo(3);
          assertThat(real(limit, scene, result).goodputPercent())
              .as("%s: %s", scene, result)
              .isGreaterThan(0.1 * simulated(limit, scene).goodputPercent())
              .isLessThan(110);
        });
  }

  /** The crowds of all algorithms at the same time. */
  private Map<Scene, Crowd.Result> run(String limit, int clients, Duration length, String prefix)
      throws InterruptedException, ExecutionException {
    Map<Scene, Future<Crowd.Result>> running = new LinkedHashMap<>();
    Map<Scene, Crowd.Result> results = new LinkedHashMap<>();
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      for (Algorithm algorithm : Algorithm.values()) {
        URI resource = URI.create(root + limit + "/" + algorithm);
        int threads = THREADS.getOrDefault(clients, 1);
        Crowd crowd = new Crowd(resource, prefix + key(clients), clients, threads);
        long start = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        running.put(new Scene(algorithm, clients, start), pool.submit(() -> crowd.run(length)));
      }
      for (Map.Entry<Scene, Future<Crowd.Result>> each : running.entrySet()) {
        results.put(each.getKey(), each.getValue().get());
      }
    } finally {
      pool.shutdownNow();
    }
    return results;
  }

  private static String row(String limit, Scene scene, Crowd.Result result) {
    return "| %s, %d client%s | %s | %s |"
        .formatted(
            scene.algorithm(),
            scene.clients(),
            scene.clients() == 1 ? "" : "s",
            real(limit, scene, result),
            simulated(limit, scene));
  }

  private static Figures real(String limit, Scene scene, Crowd.Result result) {
    double greedy = greedy(limit, scene);
    return new Figures(100 * result.admitted() / greedy, result.refusedPercent());
  }

  private static Figures simulated(String limit, Scene scene) {
    Workload workload =
        new Workload(
            scene.clients(),
            THREADS.getOrDefault(scene.clients(), 1),
            Optional.empty(),
            Optional.empty(),
            Duration.ZERO,
            LENGTH);
    double greedy = greedy(limit, scene);
    double goodput = 0;
    double refused = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Outcome outcome = Simulation.run(server(limit, scene), Behaviour.WRAPPED, workload, seed);
      goodput += 100 * outcome.admitted() / greedy / SEEDS;
      refused += outcome.refusedPercent() / SEEDS;
    }
    return new Figures(goodput, refused);
  }

  private static double greedy(String limit, Scene scene) {
    return Simulation.greedy(server(limit, scene), Duration.ZERO, LENGTH, 2_000);
  }

  /** The same limit in virtual time, with windows that begin at the same instants. */
  private static Supplier<SimulatedServer> server(String limit, Scene scene) {
    List<LimitSpec> specs = List.of(LimitSpec.parse(limit, scene.algorithm()));
    long phase = scene.startMicros() - Simulation.EPOCH_MICROS;
    return () -> new FilteredServer(specs, TOLD_MORE, phase);
  }
}
