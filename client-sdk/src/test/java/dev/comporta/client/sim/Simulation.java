package dev.comporta.client.sim;

import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Permission;
import dev.comporta.client.pacing.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * One or more clients against one server in virtual time. Requests and answers are on their {@link
 * Ways ways} for a while; the clock of each client is up to 3 s off.
 */
public final class Simulation {

  /** An instant of the year 2026, at which the virtual time begins. */
  public static final long EPOCH_MICROS = 1_796_040_000_000_000L;

  private static final int CLOCK_ERROR_MICROS = 3_000_000;
  private static final int START_SPREAD_MICROS = 50_000;

  private final EventQueue events = new EventQueue();
  private final List<Client> clients = new ArrayList<>();
  private final List<Long> delays = new ArrayList<>();
  private final SimulatedServer server;
  private final Workload workload;
  private final Ways ways;
  private final Random random;
  private long admitted;
  private long refused;
  private long failed;
  private long byConsumer;

  private Simulation(SimulatedServer server, Workload workload, Ways ways, long seed) {
    this.server = server;
    this.workload = workload;
    this.ways = ways;
    this.random = new Random(seed);
  }

  /** Runs a workload over {@link Ways#SHORT short ways}. */
  public static Outcome run(
      Supplier<SimulatedServer> server, Behaviour behaviour, Workload workload, long seed) {
    return run(server, behaviour, workload, Ways.SHORT, seed);
  }

  /** Runs a workload over these ways. */
  public static Outcome run(
      Supplier<SimulatedServer> server,
      Behaviour behaviour,
      Workload workload,
      Ways ways,
      long seed) {
    return new Simulation(server.get(), workload, ways, seed).run(behaviour);
  }

  /**
   * Requests that a sender without delay is admitted after the warm-up, when it tries at every part
   * of a millisecond from the beginning.
   */
  public static long greedy(
      Supplier<SimulatedServer> server, Duration warmUp, Duration length, long stepMicros) {
    SimulatedServer alone = server.get();
    long counted = 0;
    for (long now = 0; now < length.toNanos() / 1000; now += stepMicros) {
      while (!alone.handle(now).isRefused()) {
        counted += now >= warmUp.toNanos() / 1000 ? 1 : 0;
      }
    }
    return counted;
  }

  private Outcome run(Behaviour behaviour) {
    for (int i = 0; i < workload.clients(); i++) {
      Client client = new Client(behaviour.strategy(new Random(random.nextLong())));
      clients.add(client);
      if (workload.offeredPerSecond().isPresent()) {
        offer(client, workload.offeredPerSecond().get());
      } else {
        for (int thread = 0; thread < workload.threads(); thread++) {
          events.at(random.nextInt(START_SPREAD_MICROS), client::call);
        }
      }
    }
    workload.consumer().ifPresent(this::startConsumer);
    events.runUntil(workload.lengthMicros());
    List<Long> each = clients.stream().map(client -> client.succeeded).toList();
    return new Outcome(admitted, refused, failed, each, byConsumer, delays);
  }

  private void offer(Client client, double perSecond) {
    events.at(
        events.now() + exponential(perSecond),
        () -> {
          client.call();
          offer(client, perSecond);
        });
  }

  private void startConsumer(Workload.Consumer consumer) {
    long span = consumer.span().toNanos() / 1000;
    for (long from = 0; from < workload.lengthMicros(); from += span) {
      double share = random.nextDouble();
      double rate = consumer.leastPerSecond() * (1 - share) + consumer.mostPerSecond() * share;
      for (long at = from + exponential(rate); at < from + span; at += exponential(rate)) {
        events.at(at, this::consume);
      }
    }
  }

  private void consume() {
    server.handle(events.now());
    byConsumer += isCounted() ? 1 : 0;
  }

  private long exponential(double perSecond) {
    return 1 + (long) (-Math.log(1 - random.nextDouble()) / perSecond * 1_000_000);
  }

  private long arrival() {
    return ways.arrival(events.now(), random);
  }

  private boolean isCounted() {
    return events.now() >= workload.warmUpMicros();
  }

  /** A call of the application: one request, sent as often as the strategy wants. */
  private static final class Call {
    private final long madeAt;
    private int attempts;

    private Call(long madeAt) {
      this.madeAt = madeAt;
    }
  }

  private final class Client {

    private final Strategy strategy;
    private final Deque<Call> waiting = new ArrayDeque<>();
    private final long clockError =
        (long) random.nextInt(2 * CLOCK_ERROR_MICROS) - CLOCK_ERROR_MICROS;
    private int freeThreads = workload.threads();
    private long wakeAt = Long.MAX_VALUE;
    private long succeeded;

    private Client(Strategy strategy) {
      this.strategy = strategy;
    }

    private void call() {
      waiting.addLast(new Call(events.now()));
      pump();
    }

    /** A refused call keeps its thread while it waits. */
    private void again(Call call) {
      freeThreads++;
      waiting.addFirst(call);
      pump();
    }

    private void pump() {
      while (!waiting.isEmpty() && freeThreads > 0) {
        Permission permission = strategy.acquire(events.now());
        if (permission instanceof Permission.Wait wait) {
          wakeAt = wait.untilMicros();
          events.at(wakeAt, this::wake);
          return;
        }
        send(waiting.removeFirst(), ((Permission.Granted) permission).ticket());
      }
    }

    private void wake() {
      if (wakeAt <= events.now()) {
        wakeAt = Long.MAX_VALUE;
        pump();
      }
    }

    private void send(Call call, Ticket ticket) {
      freeThreads--;
      call.attempts++;
      events.at(arrival(), () -> arrive(call, ticket));
    }

    private void arrive(Call call, Ticket ticket) {
      SimulatedServer.Response response = server.handle(events.now());
      if (isCounted()) {
        refused += response.isRefused() ? 1 : 0;
        admitted += response.isRefused() ? 0 : 1;
      }
      events.at(arrival(), () -> answer(call, ticket, response));
    }

    private void answer(Call call, Ticket ticket, SimulatedServer.Response response) {
      RateLimitSnapshot snapshot =
          HeaderReader.read(response.status(), response.headers(), wallClock());
      strategy.answered(ticket, new Answer(snapshot, response.isRefused()), events.now());
      Optional<Duration> wait =
          response.isRefused() ? strategy.again(call.attempts, snapshot) : Optional.empty();
      if (wait.isPresent()) {
        events.at(events.now() + wait.get().toNanos() / 1000, () -> again(call));
      } else {
        end(call, ticket, response.isRefused());
      }
      pump();
    }

    private void end(Call call, Ticket ticket, boolean isFailed) {
      freeThreads++;
      if (isCounted()) {
        failed += isFailed ? 1 : 0;
        succeeded += isFailed ? 0 : 1;
        delays.add(ticket.sentMicros() - call.madeAt);
      }
      if (workload.offeredPerSecond().isEmpty()) {
        events.at(events.now(), this::call);
      }
    }

    private Instant wallClock() {
      return Instant.EPOCH.plus(EPOCH_MICROS + events.now() + clockError, ChronoUnit.MICROS);
    }
  }
}
