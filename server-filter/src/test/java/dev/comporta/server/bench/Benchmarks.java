package dev.comporta.server.bench;

import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the measurement that is named: {@code mvn -B -pl server-filter -Pbench verify}. */
public final class Benchmarks {

  private static final Map<String, Measurement> BY_NAME =
      new TreeMap<>(
          Map.of(
              "decisions", Decisions::measure,
              "http", HttpFilter::measure,
              "memory", Footprint::measure,
              "redis", RedisDecisions::measure));

  private Benchmarks() {}

  /** Prints one table. */
  interface Measurement {
    void run() throws RunnerException;
  }

  /** Takes the name from {@code -Dbench=}. */
  public static void main(String[] args) throws RunnerException {
    String name = args.length == 1 ? args[0] : "";
    Measurement measurement = BY_NAME.get(name);
    if (measurement == null) {
      System.err.println("-Dbench must be one of " + BY_NAME.keySet() + ", was '" + name + "'");
      System.exit(2);
      return;
    }
    measurement.run();
  }
}
