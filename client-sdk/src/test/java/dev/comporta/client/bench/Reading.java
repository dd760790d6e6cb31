package dev.comporta.client.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What reading an answer costs.
 *
 * <p>Every answer is read in each of several rounds, in a JVM of its own each time. The figure is
 * the best of the iterations: whatever else runs on the machine can only add to it.
 */
final class Reading {

  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
  private static final int ITERATIONS = 200;

  /** Short, so that some of them pass undisturbed. */
  private static final TimeValue ITERATION = TimeValue.milliseconds(5);

  private static final int WARM_UPS = 10;
  private static final TimeValue WARM_UP = TimeValue.milliseconds(500);

  private Reading() {}

  private static final class Figures {

    private final List<Double> nanos = new ArrayList<>();
    private double bytes;

    double best() {
      return Collections.min(nanos);
    }

    double median() {
      return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
    }
  }

  static void measure() throws RunnerException {
    Map<String, Figures> measured = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      add(run(), measured);
      System.out.printf("%nAfter %d of %d rounds:%n", round + 1, ROUNDS);
      print(measured);
    }
  }

  private static Collection<RunResult> run() throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include("\\.ReadingBenchmark\\.")
                .forks(1)
                // Heap pages touched for the first time would cost more than what is measured,
                // and so would code that still waits to be compiled on a busy machine.
                .jvmArgsAppend(
                    "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:-BackgroundCompilation")
                .warmupIterations(WARM_UPS)
                .warmupTime(WARM_UP)
                .measurementIterations(ITERATIONS)
                .measurementTime(ITERATION)
                .shouldFailOnError(true)
                .addProfiler(GCProfiler.class)
                .build())
        .run();
  }

  private static void add(Collection<RunResult> results, Map<String, Figures> measured) {
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      Figures figures =
          measured.computeIfAbsent(params.getParam("answer"), absent -> new Figures());
      for (BenchmarkResult fork : result.getBenchmarkResults()) {
        for (IterationResult iteration : fork.getIterationResults()) {
          figures.nanos.add(iteration.getPrimaryResult().getScore());
        }
        Result<?> bytes = fork.getSecondaryResults().get("gc.alloc.rate.norm");
        figures.bytes = bytes == null ? 0 : bytes.getScore();
      }
    }
  }

  private static void print(Map<String, Figures> measured) {
    System.out.println();
    System.out.println("| answer | ns, best | ns, median | bytes |");
    System.out.println("|---|---|---|---|");
    measured.forEach(
        (answer, figures) ->
            System.out.printf(
                "| %s | %.0f | %.0f | %.0f |%n",
                answer, figures.best(), figures.median(), figures.bytes));
  }
}
