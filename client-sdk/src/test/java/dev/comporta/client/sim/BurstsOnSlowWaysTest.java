package dev.comporta.client.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Pacer;
import dev.comporta.client.pacing.Permission;
import dev.comporta.client.pacing.Ticket;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client that is alone on a log, and whose calls come in bursts, over ways that differ by as much
 * as it takes to see a burst end: what is late at the beginning of the log is not late at its end.
 */
class BurstsOnSlowWaysTest {

  private static final int SEEDS = 40;
  private static final long WARM_UP_MICROS = 10_000_000;
  private static final long LENGTH_MICROS = 60_000_000;
  private static final Ways WAYS = Ways.evenly(5_000, 300_000);

  /** One client whose application makes some calls at once, each period. */
  private static final class Bursts {

    private final EventQueue events = new EventQueue();
    private final SimulatedServer server = new NaiveWindowLog(100, 1_000_000);
    private final Deque<Long> waiting = new ArrayDeque<>();
    private final Random random;
    private final Pacer pacer;
    private long delays;
    private long sent;

    Bursts(long seed, int calls, long periodMicros) {
      random = new Random(seed);
      pacer = new Pacer(new Random(seed * 7));
      for (long begin = 0; begin < LENGTH_MICROS; begin += periodMicros) {
        for (int i = 0; i < calls; i++) {
          events.at(begin, this::call);
        }
      }
      events.runUntil(LENGTH_MICROS);
    }

    double meanDelayMillis() {
      return delays / 1_000.0 / sent;
    }

    private void call() {
      waiting.add(events.now());
      send();
    }

    private void send() {
      while (!waiting.isEmpty()) {
        Permission permission = pacer.acquire(events.now());
        if (permission instanceof Permission.Wait wait) {
          events.at(wait.untilMicros(), this::send);
          return;
        }
        long made = waiting.removeFirst();
        if (events.now() >= WARM_UP_MICROS) {
          sent++;
          delays += events.now() - made;
        }
        Ticket ticket = ((Permission.Granted) permission).ticket();
        events.at(WAYS.arrival(events.now(), random), () -> arrive(ticket));
      }
    }

    private void arrive(Ticket ticket) {
      SimulatedServer.Response response = server.handle(events.now());
      events.at(WAYS.arrival(events.now(), random), () -> answer(ticket, response));
    }

    private void answer(Ticket ticket, SimulatedServer.Response response) {
      Instant now = Instant.EPOCH.plus(events.now(), ChronoUnit.MICROS);
      pacer.answered(
          ticket,
          new Answer(
              HeaderReader.read(response.status(), response.headers(), now), response.isRefused()),
          events.now());
      send();
    }
  }

  /** Taken for one of several now and then, it would wait for 190 to 300 ms longer. */
  @ParameterizedTest
  @CsvSource({"150, 3, 650", "200, 4, 1160", "300, 10, 1840"})
  void loneClientIsNotTakenForOneOfSeveral(int calls, long periodSeconds, double mostMillis) {
    double sum = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      sum += new Bursts(seed, calls, periodSeconds * 1_000_000).meanDelayMillis();
    }

    assertThat(sum / SEEDS).as("mean delay, seeds 1 to %d", SEEDS).isLessThan(mostMillis);
  }
}
