package dev.comporta.client.sim;

import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Pacer;
import dev.comporta.client.pacing.Permission;
import dev.comporta.client.pacing.Ticket;
import dev.comporta.client.retry.Attempt;
import dev.comporta.client.retry.RetryDecision;
import dev.comporta.client.retry.RetryRules;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * One or more clients, each with threads that call without pause, against one server. The way to
 * the server and the way back take 5 to 40 ms each, at random.
 */
public final class Simulation {

  private static final long SHORTEST_WAY_MICROS = 5_000;
  private static final int WAY_SPREAD_MICROS = 35_000;
  private static final int THREADS = 8;

  private final EventQueue events = new EventQueue();
  private final SimulatedServer server;
  private final Random random;
  private final long endMicros;
  private long admitted;
  private long refused;
  private long succeeded;
  private long failed;

  private Simulation(SimulatedServer server, long seed, long endMicros) {
    this.server = server;
    this.random = new Random(seed);
    this.endMicros = endMicros;
  }

  /**
   * What came of a run.
   *
   * @param admitted requests that the server admitted
   * @param refused requests that it refused
   * @param succeeded calls answered 200
   * @param failed calls that ended with a refusal
   */
  public record Result(long admitted, long refused, long succeeded, long failed) {

    public double refusedPercent() {
      return 100.0 * refused / Math.max(1, admitted + refused);
    }
  }

  /** Runs that many clients of eight threads for a time. */
  public static Result run(
      Supplier<SimulatedServer> server,
      Behaviour behaviour,
      int clients,
      Duration length,
      long seed) {
    Simulation simulation = new Simulation(server.get(), seed, length.toNanos() / 1000);
    for (int i = 0; i < clients; i++) {
      simulation.start(behaviour);
    }
    simulation.events.runUntil(simulation.endMicros);
    return new Result(
        simulation.admitted, simulation.refused, simulation.succeeded, simulation.failed);
  }

  /** Requests admitted to a sender without delay that tries at every part of a millisecond. */
  public static long greedy(Supplier<SimulatedServer> server, Duration length, long stepMicros) {
    SimulatedServer alone = server.get();
    long admitted = 0;
    for (long now = 0; now < length.toNanos() / 1000; now += stepMicros) {
      while (!alone.handle(now).isRefused()) {
        admitted++;
      }
    }
    return admitted;
  }

  private void start(Behaviour behaviour) {
    Client client = new Client(behaviour);
    for (int i = 0; i < THREADS; i++) {
      events.at(random.nextInt(50_000), client::call);
    }
  }

  private long way() {
    return SHORTEST_WAY_MICROS + random.nextInt(WAY_SPREAD_MICROS);
  }

  /** A call of the application: one request, sent as often as the rules say. */
  private static final class Call {
    private int attempts;
  }

  private final class Client {

    private final Behaviour behaviour;
    private final Pacer pacer = new Pacer(new Random(random.nextLong()));
    private final RetryRules rules = new RetryRules(4, Duration.ofMinutes(2));
    private final Deque<Call> waiting = new ArrayDeque<>();
    private long wakeAt = Long.MAX_VALUE;

    private Client(Behaviour behaviour) {
      this.behaviour = behaviour;
    }

    private void call() {
      waiting.addLast(new Call());
      pump();
    }

    private void again(Call call) {
      waiting.addFirst(call);
      pump();
    }

    private void pump() {
      while (!waiting.isEmpty()) {
        if (behaviour != Behaviour.WRAPPED) {
          send(waiting.removeFirst(), new Ticket(0, events.now()));
          continue;
        }
        Permission permission = pacer.acquire(events.now());
        if (permission instanceof Permission.Granted granted) {
          send(waiting.removeFirst(), granted.ticket());
        } else if (permission instanceof Permission.Wait wait) {
          wakeAt = wait.untilMicros();
          events.at(wakeAt, this::wake);
          return;
        }
      }
    }

    private void wake() {
      if (wakeAt <= events.now()) {
        wakeAt = Long.MAX_VALUE;
        pump();
      }
    }

    private void send(Call call, Ticket ticket) {
      call.attempts++;
      events.at(events.now() + way(), () -> arrive(call, ticket));
    }

    private void arrive(Call call, Ticket ticket) {
      SimulatedServer.Response response = server.handle(events.now());
      if (response.isRefused()) {
        refused++;
      } else {
        admitted++;
      }
      events.at(events.now() + way(), () -> answer(call, ticket, response));
    }

    private void answer(Call call, Ticket ticket, SimulatedServer.Response response) {
      RateLimitSnapshot snapshot =
          HeaderReader.read(
              response.status(), response.headers(), NaiveServer.wallClock(events.now()));
      if (behaviour == Behaviour.WRAPPED) {
        pacer.answered(ticket, new Answer(snapshot, response.isRefused()), events.now());
      }
      Optional<Duration> wait = wait(call, response, snapshot);
      if (wait.isPresent()) {
        events.at(events.now() + wait.get().toNanos() / 1000, () -> again(call));
      } else {
        if (response.isRefused()) {
          failed++;
        } else {
          succeeded++;
        }
        events.at(events.now(), this::call);
      }
      if (behaviour == Behaviour.WRAPPED) {
        pump();
      }
    }

    private Optional<Duration> wait(
        Call call, SimulatedServer.Response response, RateLimitSnapshot snapshot) {
      return switch (behaviour) {
        case NAIVE -> Optional.empty();
        case RETRY_AFTER_ONLY -> response.isRefused() ? snapshot.retryAfter() : Optional.empty();
        case WRAPPED ->
            rules.decide(
                        new Attempt("GET", true, call.attempts, response.status()),
                        snapshot,
                        random.nextDouble())
                    instanceof RetryDecision.RetryAfter retry
                ? Optional.of(retry.delay())
                : Optional.empty();
      };
    }
  }
}
