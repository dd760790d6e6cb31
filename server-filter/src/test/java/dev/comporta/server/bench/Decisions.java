package dev.comporta.server.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What a decision costs, beside its peers.
 *
 * <p>Every row is measured in each of several rounds, in a JVM of its own each time. The time of a
 * row is the best of its iterations: whatever else runs can only add to it. What it is of the bare
 * one is told by pairs, since the memory of the machine is twice as slow in one minute as in the
 * next: in each round it is compared with the bare one of that round, and the median of the rounds
 * is told.
 */
final class Decisions {

  /** Enough that one disturbed pair decides nothing; fewer for a first look. */
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);

  private static final int ITERATIONS = 12;

  /** Short, so that some of them pass undisturbed. */
  private static final TimeValue ITERATION = TimeValue.milliseconds(100);

  private static final int WARM_UPS = 6;
  private static final TimeValue WARM_UP = TimeValue.milliseconds(200);

  private static final String BARE = "gcra";
  private static final String WITHOUT_MAP = "gcraWithoutMap";

  private Decisions() {}

  private record Row(String path, String callers, int threads, String limiter)
      implements Comparable<Row> {

    private static final Comparator<Row> ORDER =
        Comparator.comparing(Row::path)
            .thenComparing(row -> Integer.valueOf(row.callers))
            .thenComparing(Row::threads);

    static Row of(BenchmarkParams params) {
      String[] name = params.getBenchmark().split("\\.", -1);
      String path = name[name.length - 2].equals("AllowBenchmark") ? "allow" : "refuse";
      String callers = params.getParam("callers");
      return new Row(
          path, callers == null ? "1" : callers, params.getThreads(), name[name.length - 1]);
    }

    Row bare() {
      return new Row(path, callers, threads, BARE);
    }

    @Override
    public int compareTo(Row other) {
      return ORDER.thenComparing(Row::limiter).compare(this, other);
    }
  }

  /** What was measured of a row: the iterations of each round. */
  private static final class Figures {

    private final List<List<Double>> rounds = new ArrayList<>();
    private double bytes;

    double best() {
      return rounds.stream().mapToDouble(Collections::min).min().orElseThrow();
    }

    double median() {
      return Medians.of(rounds.stream().flatMap(List::stream).toList());
    }

    /** That figure of a round, of the same of the bare one; the median of all pairs. */
    double ofBare(Figures bare, ToDoubleFunction<List<Double>> figure) {
      List<Double> shares = new ArrayList<>();
      for (int round = 0; round < rounds.size(); round++) {
        shares.add(
            figure.applyAsDouble(rounds.get(round)) / figure.applyAsDouble(bare.rounds.get(round)));
      }
      return Medians.of(shares);
    }
  }

  static void measure() throws RunnerException {
    Map<Row, Figures> measured = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      add(run("AllowBenchmark", 1), measured);
      add(run("AllowBenchmark", 2), measured);
      add(run("RefuseBenchmark", 1), measured);
      System.out.printf("%nAfter %d of %d rounds:%n", round + 1, ROUNDS);
      print(measured);
    }
  }

  private static Collection<RunResult> run(String suite, int threads) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\." + suite + "\\.")
            .threads(threads)
            .forks(1)
            // Heap pages touched for the first time would cost more than what is measured.
            .jvmArgsAppend("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch")
            .warmupIterations(WARM_UPS)
            .warmupTime(WARM_UP)
            .measurementIterations(ITERATIONS)
            .measurementTime(ITERATION)
            .shouldFailOnError(true)
            .addProfiler(GCProfiler.class);
    return new Runner(options.build()).run();
  }

  private static void add(Collection<RunResult> results, Map<Row, Figures> measured) {
    for (RunResult result : results) {
      Row row = Row.of(result.getParams());
      if (row.limiter().equals(WITHOUT_MAP) && !row.callers().equals("1")) {
        // It has one caller, whatever it is told.
        continue;
      }
      Figures figures = measured.computeIfAbsent(row, absent -> new Figures());
      for (BenchmarkResult fork : result.getBenchmarkResults()) {
        figures.rounds.add(
            fork.getIterationResults().stream()
                .map(iteration -> iteration.getPrimaryResult().getScore())
                .toList());
        Result<?> bytes = fork.getSecondaryResults().get("gc.alloc.rate.norm");
        figures.bytes = bytes == null ? 0 : bytes.getScore();
      }
    }
  }

  private static void print(Map<Row, Figures> measured) {
    System.out.println();
    System.out.println(
        "| path | callers | threads | limiter | ns, best | of bare GCRA | ns, median"
            + " | of bare GCRA | bytes |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    measured.forEach(
        (row, figures) -> {
          Figures bare = measured.getOrDefault(row.bare(), figures);
          System.out.printf(
              "| %s | %s | %d | %s | %.0f | %.2f | %.0f | %.2f | %.0f |%n",
              row.path(),
              row.callers(),
              row.threads(),
              row.limiter(),
              figures.best(),
              figures.ofBare(bare, Collections::min),
              figures.median(),
              figures.ofBare(bare, Medians::of),
              figures.bytes);
        });
  }
}
