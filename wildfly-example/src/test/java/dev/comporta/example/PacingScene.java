package dev.comporta.example;

import dev.comporta.client.sim.Behaviour;
import dev.comporta.client.sim.Outcome;
import dev.comporta.client.sim.SimulatedServer;
import dev.comporta.client.sim.Simulation;
import dev.comporta.client.sim.Workload;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.http.Dialect;
import dev.comporta.server.policy.LimitSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A limit and who uses it, in virtual time: the real client, the real algorithms and headers.
 *
 * @param name what happens
 * @param limit the limit, in its grammar
 * @param lowered the limit in the middle third of the time, where it is another one
 */
record PacingScene(String name, String limit, Optional<String> lowered, Workload workload) {

  /** Goodput as a part of what is allowed, refused requests as a part of all; means over seeds. */
  record Figures(
      double goodputPercent,
      double refusedPercent,
      double jain,
      double medianDelayMillis,
      double failedCalls) {

    private Figures plus(Figures other) {
      return new Figures(
          goodputPercent + other.goodputPercent,
          refusedPercent + other.refusedPercent,
          jain + other.jain,
          medianDelayMillis + other.medianDelayMillis,
          failedCalls + other.failedCalls);
    }

    private Figures dividedBy(double count) {
      return new Figures(
          goodputPercent / count,
          refusedPercent / count,
          jain / count,
          medianDelayMillis / count,
          failedCalls / count);
    }
  }

  static List<PacingScene> perSecond() {
    return List.of(
        saturating("one client", "100/1s", 1, 5, 60),
        saturating("two clients", "100/1s", 2, 10, 60),
        saturating("three clients", "100/1s", 3, 10, 60),
        saturating("eight clients", "100/1s", 8, 10, 60),
        beside(
            "uncontrolled consumer", "100/1s", new Workload.Consumer(30, 60, seconds(5)), 10, 90),
        changing("limit changes", "100/1s", "40/1s", 5, 90),
        offering("70 % offered", "100/1s", 70, 5, 60));
  }

  static List<PacingScene> perMinute() {
    return List.of(
        saturating("one client", "600/1m", 1, 120, 360),
        saturating("two clients", "600/1m", 2, 120, 480),
        saturating("three clients", "600/1m", 3, 120, 480),
        saturating("eight clients", "600/1m", 8, 120, 480),
        beside(
            "uncontrolled consumer", "600/1m", new Workload.Consumer(3, 6, seconds(15)), 120, 480),
        changing("limit changes", "600/1m", "240/1m", 120, 900),
        offering("70 % offered", "600/1m", 7, 60, 360));
  }

  static Stream<PacingScene> all() {
    return Stream.concat(perSecond().stream(), perMinute().stream());
  }

  /** The mean over seeds from 1. */
  Figures mean(Algorithm algorithm, List<Dialect> dialects, Behaviour behaviour, int seeds) {
    return LongStream.rangeClosed(1, seeds)
        .mapToObj(seed -> figures(algorithm, dialects, behaviour, seed))
        .reduce(Figures::plus)
        .orElseThrow()
        .dividedBy(seeds);
  }

  private Figures figures(
      Algorithm algorithm, List<Dialect> dialects, Behaviour behaviour, long seed) {
    LimitSpec spec = LimitSpec.parse(limit, algorithm);
    long phase = new Random(77 * seed).nextLong(60_000_000);
    Supplier<SimulatedServer> server = () -> server(spec, algorithm, dialects, phase);
    Outcome outcome = Simulation.run(server, behaviour, workload, seed);
    return new Figures(
        100.0 * outcome.admitted() / allowed(spec, server, outcome),
        outcome.refusedPercent(),
        outcome.jain(),
        outcome.medianDelay() / 1000.0,
        outcome.failed());
  }

  private SimulatedServer server(
      LimitSpec spec, Algorithm algorithm, List<Dialect> dialects, long phase) {
    FilteredServer server = new FilteredServer(List.of(spec), dialects, phase);
    long third = workload.length().toNanos() / 3000;
    return lowered.isEmpty()
        ? server
        : server
            .from(third, List.of(LimitSpec.parse(lowered.get(), algorithm)))
            .from(2 * third, List.of(spec));
  }

  /** What the clients could have had after the warm-up. */
  private double allowed(LimitSpec spec, Supplier<SimulatedServer> server, Outcome outcome) {
    if (lowered.isPresent()) {
      long step = spec.windowMicros() / 500;
      return Simulation.greedy(server, workload.warmUp(), workload.length(), step);
    }
    double seconds = workload.length().minus(workload.warmUp()).toMillis() / 1e3;
    double wanted = workload.offeredPerSecond().orElse(Double.MAX_VALUE);
    double limited = spec.permits() / (spec.windowMicros() / 1e6);
    return Math.min(wanted, limited) * seconds - outcome.byConsumer();
  }

  @Override
  public String toString() {
    return limit + ", " + name;
  }

  private static PacingScene saturating(
      String name, String limit, int clients, long warmUp, long length) {
    Workload workload = Workload.saturating(clients, seconds(warmUp), seconds(length));
    return new PacingScene(name, limit, Optional.empty(), workload);
  }

  private static PacingScene beside(
      String name, String limit, Workload.Consumer consumer, long warmUp, long length) {
    Workload workload = Workload.saturating(1, seconds(warmUp), seconds(length)).beside(consumer);
    return new PacingScene(name, limit, Optional.empty(), workload);
  }

  private static PacingScene changing(
      String name, String limit, String lowered, long warmUp, long length) {
    Workload workload = Workload.saturating(1, seconds(warmUp), seconds(length));
    return new PacingScene(name, limit, Optional.of(lowered), workload);
  }

  private static PacingScene offering(
      String name, String limit, double perSecond, long warmUp, long length) {
    Workload workload = Workload.offering(perSecond, seconds(warmUp), seconds(length));
    return new PacingScene(name, limit, Optional.empty(), workload);
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
