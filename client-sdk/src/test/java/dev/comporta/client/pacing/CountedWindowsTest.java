package dev.comporta.client.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.comporta.client.header.Counting;
import dev.comporta.client.header.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fixed windows of a second have counted beside own requests, over ways of any length. */
class CountedWindowsTest {

  private static final long LIMIT = 1_000;
  private static final long WINDOW = 1_000_000;
  private static final int LONGEST_WAY = 240_000;

  private final WindowState state = new WindowState(fixedWindow(), LIMIT);
  private final CountedWindows windows = new CountedWindows(state);
  private final List<Ticket> unsent = new ArrayList<>();
  private long number;

  /** A request from here or, without a ticket, of somebody else; both in micros. */
  private record Sent(Optional<Ticket> ticket, long countedAt, long answered) {

    private long window() {
      return Math.floorDiv(countedAt, WINDOW);
    }
  }

  /** An own request that was the so manieth of its window, behind so many of others. */
  private record Counted(Sent sent, long rank, long ofOthers) {}

  @Test
  void anOwnRequestThatIsCountedBehindTheEdgeItLeftBeforeIsNotSomebodyElses() {
    Ticket before = send(900_000);
    Ticket behind = send(1_100_000);

    answer(behind, 2, 1_150_000, 1_200_000);
    assertThat(windows.others(LONGEST_WAY)).isLessThanOrEqualTo(0);

    answer(before, 1, 1_050_000, 1_300_000);
    assertThat(windows.others(LONGEST_WAY)).isZero();
  }

  @Test
  void whatTheEarlierWindowHasCountedDoesNotExplainTheLaterOne() {
    Ticket before = send(900_000);
    Ticket behind = send(1_100_000);

    answer(behind, 2, 1_150_000, 1_200_000);
    answer(before, 1, 950_000, 1_250_000);

    assertThat(windows.others(LONGEST_WAY)).isEqualTo(1);
  }

  @Test
  void aRefusedRequestIsNotAmongThoseThatAreCounted() {
    Ticket refused = send(100_000);

    windows.take(refused, 0, true, 850_000, 200_000);

    assertThat(windows.others(LONGEST_WAY)).isEqualTo((double) LIMIT);
  }

  @Test
  void whatWasCountedBeforeWeCameIsLeftOutOfThatWindowAlone() {
    answer(send(100_000), 6, 150_000, 200_000);
    windows.begin(5);
    assertThat(windows.others(LONGEST_WAY)).isZero();

    answer(send(300_000), 9, 350_000, 400_000);
    assertThat(windows.others(LONGEST_WAY)).isEqualTo(2);

    answer(send(1_100_000), 6, 1_150_000, 1_200_000);
    assertThat(windows.others(LONGEST_WAY)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 30, 300})
  void othersAreNeverOverestimatedAndAreExactWhenAllIsAnswered(int others) {
    for (long seed = 1; seed <= 100; seed++) {
      CountedWindowsTest fresh = new CountedWindowsTest();
      List<Counted> own = counted(fresh.traffic(others, new SplittableRandom(seed)));
      own.sort(Comparator.comparingLong(each -> each.sent().answered()));
      long latest = Long.MIN_VALUE;
      for (Counted each : own) {
        Sent sent = each.sent();
        fresh.sendUntil(sent.answered());
        fresh.answer(sent.ticket().orElseThrow(), each.rank(), sent.countedAt(), sent.answered());
        latest = Math.max(latest, sent.window());
        assertThat(fresh.windows.others(LONGEST_WAY))
            .as("others, seed %d, at %d", seed, sent.answered())
            .isLessThanOrEqualTo(othersOfTwo(own, latest) + 1e-6);
      }
      assertThat(fresh.windows.others(LONGEST_WAY))
          .as("others in the end, seed %d", seed)
          .isEqualTo(othersOfTwo(own, latest), within(1e-6));
    }
  }

  /** Own requests, with what their windows had counted then. */
  private static List<Counted> counted(List<Sent> traffic) {
    traffic.sort(Comparator.comparingLong(Sent::countedAt));
    List<Counted> own = new ArrayList<>();
    long window = Long.MIN_VALUE;
    long rank = 0;
    long ofOthers = 0;
    for (Sent each : traffic) {
      rank = each.window() == window ? rank + 1 : 1;
      ofOthers = (each.window() == window ? ofOthers : 0) + (each.ticket().isEmpty() ? 1 : 0);
      window = each.window();
      if (each.ticket().isPresent()) {
        own.add(new Counted(each, rank, ofOthers));
      }
    }
    return own;
  }

  /** Most that own requests found of others in that window, or in the one before. */
  private static double othersOfTwo(List<Counted> own, long window) {
    return own.stream()
        .filter(each -> each.sent().window() == window || each.sent().window() == window - 1)
        .mapToLong(Counted::ofOthers)
        .max()
        .orElse(0);
  }

  /** Some 100 own requests in four windows, in bursts, and that many of others. */
  private List<Sent> traffic(int others, SplittableRandom random) {
    List<Sent> traffic = new ArrayList<>();
    long now = 10 * WINDOW + random.nextLong(WINDOW);
    for (int i = 0; i < 100; i++) {
      now += random.nextInt(4) == 0 ? random.nextLong(160_000) : random.nextLong(100);
      Ticket ticket = new Ticket(++number, now, 0);
      unsent.add(ticket);
      long counted = now + random.nextLong(1_000, LONGEST_WAY);
      traffic.add(
          new Sent(Optional.of(ticket), counted, counted + random.nextLong(1_000, LONGEST_WAY)));
    }
    for (int i = 0; i < others; i++) {
      long counted = 10 * WINDOW + random.nextLong(4 * WINDOW);
      traffic.add(new Sent(Optional.empty(), counted, counted));
    }
    return traffic;
  }

  private void sendUntil(long now) {
    while (!unsent.isEmpty() && unsent.get(0).sentMicros() <= now) {
      state.own().add(unsent.remove(0).sentMicros());
    }
  }

  private Ticket send(long atMicros) {
    state.own().add(atMicros);
    return new Ticket(++number, atMicros, 0);
  }

  private void answer(Ticket ticket, long rank, long countedAt, long now) {
    long untilEnd = WINDOW - Math.floorMod(countedAt, WINDOW);
    double toldMicros = 1_000 * Math.ceil(untilEnd / 1_000.0);
    windows.take(ticket, (double) (LIMIT - rank), false, toldMicros, now);
  }

  private static Window fixedWindow() {
    return new Window(
        Optional.of("a"),
        OptionalLong.of(LIMIT),
        OptionalLong.of(LIMIT),
        Optional.of(Duration.ofSeconds(1)),
        Optional.of(Duration.ofSeconds(1)),
        new Window.Terms(
            "requests",
            OptionalDouble.empty(),
            Optional.empty(),
            false,
            Optional.of(Counting.FIXED_WINDOW)));
  }
}
