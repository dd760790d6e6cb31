package dev.comporta.client.pacing;

import static dev.comporta.client.pacing.Answers.admitted;
import static dev.comporta.client.pacing.Answers.refused;
import static dev.comporta.client.pacing.Answers.window;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pacer in a time that is moved by hand. */
class PacerTest {

  private static final long SECOND = 1_000_000;
  private static final long ROUND_TRIP = 50_000;

  private final Pacer pacer = new Pacer(new SplittableRandom(1));
  private long now = SECOND;

  @Test
  void letsOneRequestLeaveUntilTheFirstAnswerForHalfASecond() {
    send();

    assertThat(pacer.acquire(now)).isEqualTo(new Permission.Wait(now + SECOND / 2));
    assertThat(pacer.acquire(now + SECOND / 2)).isInstanceOf(Permission.Granted.class);
  }

  @Test
  void holdsNothingWhenTheAnswersTellNoLimit() {
    answer(send(), admitted());

    assertThat(sendAll(1_000)).hasSize(1_000);
  }

  @Test
  void countsRequestsInFlight() {
    ramp();
    Ticket first = send();
    answer(first, admitted(window("a", 1_000, 100, 5, 100)));

    assertThat(sendAll(20)).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void aLateAnswerNeverRaisesWhatIsLeft() {
    ramp();
    Ticket early = send();
    Ticket late = send();
    answer(late, admitted(window("a", 1_000, 100, 0, 100)));

    answer(early, admitted(window("a", 1_000, 100, 9, 100)));

    assertThat(held()).isGreaterThan(90 * SECOND);
  }

  @Test
  void obeysEachOfSeveralWindows() {
    answer(send(), admitted(window("a", 10, 1, 9, 1), window("b", 300, 60, 0, 30)));

    assertThat(held()).isGreaterThanOrEqualTo(30 * SECOND - ROUND_TRIP);
  }

  @Test
  void obeysAWindowThatTheNewestAnswerDoesNotTell() {
    answer(send(), admitted(window("short", 3, 10, 2, 10)));
    for (int i = 0; i < 2; i++) {
      answer(sendWhenAllowed(), admitted(window("long", 1000, 3600, 900, 3600)));
    }
    long last = now;

    sendWhenAllowed();

    assertThat(now - last).isGreaterThan(5 * SECOND);
  }

  @Test
  void asksWithOneRequestWhenAnEmptyWindowShouldBeOver() {
    answer(send(), admitted(window("a", 10, 10, 0, 7)));

    now += 7 * SECOND;
    assertThat(sendAll(10)).as("left at the window's edge").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 7, 3600})
  void aRefusalHoldsAllForAsLongAsItTellsAndNotLess(long seconds) {
    answer(send(), refused(Duration.ofSeconds(seconds), window("a", 10, 10, 0, 1)));

    long wait = held();

    assertThat(wait).isBetween(seconds * SECOND, seconds * SECOND + SECOND / 4);
    assertThat(pacer.acquire(now + wait - 1)).isInstanceOf(Permission.Wait.class);
    assertThat(pacer.acquire(now + wait)).isInstanceOf(Permission.Granted.class);
  }

  @Test
  void aRefusalWithoutAWindowHoldsAllForASecondWhenItSaysSo() {
    answer(send(), refused(Duration.ofSeconds(1)));

    assertThat(held()).isBetween(SECOND, SECOND + SECOND / 4);
  }

  @Test
  void aLongerHoldIsNotShortenedByALaterRefusal() {
    answer(send(), admitted());
    Ticket first = send();
    Ticket second = send();
    answer(first, refused(Duration.ofSeconds(60)));

    answer(second, refused(Duration.ofSeconds(2)));

    assertThat(held()).isGreaterThanOrEqualTo(60 * SECOND - ROUND_TRIP);
  }

  @Test
  void anEmptyWindowHoldsUntilItsEndWithoutARefusal() {
    answer(send(), admitted(window("a", 10, 10, 0, 7)));

    assertThat(held()).isGreaterThanOrEqualTo(7 * SECOND);
  }

  @Test
  void aHintOfZeroMakesNoHotLoop() {
    long begin = now;
    for (int i = 0; i < 50; i++) {
      answer(sendWhenAllowed(), refused(Duration.ZERO, window("a", 10, 10, 0, 0)));
    }

    assertThat(now - begin).isGreaterThan(50 * 75_000L);
  }

  @Test
  void followsALimitThatIsRaised() {
    assertThat(admittedWithin(10, 10)).isBetween(15, 21);
    assertThat(admittedWithin(100, 10)).isGreaterThan(70);
  }

  @Test
  void followsALimitThatIsLowered() {
    assertThat(admittedWithin(100, 10)).isGreaterThan(70);
    assertThat(admittedWithin(10, 20)).isLessThanOrEqualTo(35);
  }

  @Test
  void twoHundredThatWaitedForAnEmptyWindowLeaveStaggered() {
    answer(send(), admitted(window("a", 100, 10, 0, 7)));
    now += 8 * SECOND;
    answer(sendWhenAllowed(), admitted(window("a", 100, 10, 99, 10)));
    long begin = now;

    int atOnce = sendAll(200).size();
    int inASecond = atOnce;
    while (now < begin + SECOND) {
      now += 10_000;
      inASecond += sendAll(200).size();
    }

    assertThat(atOnce).as("left at the same instant").isLessThanOrEqualTo(2);
    assertThat(inASecond).as("of 100 per 10 s, left within a second").isLessThanOrEqualTo(13);
  }

  @Test
  void waitersBehindARetryAfterAloneDoNotAllLeaveAtOnce() {
    answer(send(), refused(Duration.ofSeconds(5)));
    now += 6 * SECOND;
    int left = 0;
    int roundTrips = 0;
    List<Integer> waves = new ArrayList<>();

    while (left < 200) {
      List<Ticket> wave = sendAll(200 - left);
      waves.add(wave.size());
      left += wave.size();
      now += ROUND_TRIP;
      wave.forEach(ticket -> pacer.answered(ticket, admitted(), now));
      roundTrips++;
    }

    assertThat(waves.get(0)).as("left at the same instant").isEqualTo(2);
    for (int i = 1; i < waves.size(); i++) {
      assertThat(waves.get(i)).as("%s", waves).isLessThanOrEqualTo(2 * waves.get(i - 1));
    }
    assertThat(roundTrips).as("%s", waves).isLessThanOrEqualTo(8);
  }

  @Test
  void ownRequestsThatLeftBeforeASlowFirstAnswerAreNotTakenForSomebodyElses() {
    List<Ticket> cold = new ArrayList<>(List.of(send()));
    now += SECOND;
    cold.addAll(sendAll(15));
    now += ROUND_TRIP;

    // They overtake one another: the answer to the fifth says that all have been counted.
    answer(cold.get(4), admitted(window("a", 600, 60, 584, 60)));

    assertThat(pacer.toString()).contains("alone");
  }

  @ParameterizedTest
  @CsvSource({"953, alone", "947, shared"})
  void ownRequestsThatALaterOneHasOvertakenAreNotTakenForSomebodyElsesButOthersAre(
      long leftBehindThem, String company) {
    ramp();
    List<Ticket> rush = new ArrayList<>();
    while (rush.size() < 16) {
      rush.addAll(sendAll(16 - rush.size()));
      now += 1_000;
    }

    // The last one is counted first, and answered first.
    answer(rush.remove(15), admitted(window("a", 1_000, 100, 969, 100)));
    for (int i = 0; i < rush.size(); i++) {
      pacer.answered(rush.get(i), admitted(window("a", 1_000, 100, 968 - i, 100)), now);
    }
    now += SECOND;
    answer(sendWhenAllowed(), admitted(window("a", 1_000, 100, leftBehindThem, 100)));

    assertThat(pacer.toString()).contains(company);
  }

  @Test
  void spreadRequestsLeaveEvenlyThoughTheQuotaIsWhole() {
    Pacer spread = new Pacer(new SplittableRandom(1), Pacing.SPREAD);
    long start = now;
    int left = 0;
    while (now < start + 10 * SECOND) {
      if (spread.acquire(now) instanceof Permission.Granted granted) {
        now += ROUND_TRIP;
        spread.answered(granted.ticket(), admitted(window("a", 100, 10, 90, 1)), now);
        left++;
      }
      now += 1_000;
    }

    assertThat(left).isBetween(85, 102);
  }

  @Test
  void tellsWhatItKnowsInWords() {
    answer(send(), admitted(window("search", 100, 10, 99, 7)));

    assertThat(pacer).hasToString("search: 99 of 100 per PT10S left, alone; 0 in flight");
  }

  @Test
  void aRequestWithoutAnAnswerIsNotInFlightAnyMore() {
    Ticket lost = send();

    pacer.lost(lost);

    assertThat(pacer.inFlight()).isZero();
    assertThat(pacer.acquire(now)).isInstanceOf(Permission.Granted.class);
  }

  @Test
  void forgetsWindowsThatAreNotToldAnyMore() {
    for (int i = 0; i < 1_000; i++) {
      answer(sendWhenAllowed(), admitted(window("a" + i, 100, 1, 90, 1)));
      now += SECOND;
    }

    assertThat(pacer.windows()).isLessThanOrEqualTo(8);
  }

  /** Requests that a bucket of that limit per 10 s admits in a time, each answered in order. */
  private int admittedWithin(long limit, long seconds) {
    long end = now + seconds * SECOND;
    double level = (double) limit;
    long at = now;
    int admitted = 0;
    while (now < end) {
      Ticket ticket = sendWhenAllowed();
      level = Math.min((double) limit, level + (double) (now - at) * limit / (10.0 * SECOND));
      at = now;
      if (level >= 1) {
        level--;
        admitted++;
        answer(ticket, admitted(window("a", limit, 10, (long) level, 1)));
      } else {
        answer(ticket, refused(window("a", limit, 10, 0, 1)));
      }
    }
    return admitted;
  }

  /** Makes the pacer trust the server with several requests at a time. */
  private void ramp() {
    for (int i = 0; i < 30; i++) {
      answer(sendWhenAllowed(), admitted(window("a", 1_000, 100, 999 - i, 100)));
    }
  }

  private List<Ticket> sendAll(int most) {
    List<Ticket> sent = new ArrayList<>();
    while (sent.size() < most && pacer.acquire(now) instanceof Permission.Granted granted) {
      sent.add(granted.ticket());
    }
    return sent;
  }

  private Ticket send() {
    return ((Permission.Granted) pacer.acquire(now)).ticket();
  }

  private Ticket sendWhenAllowed() {
    while (true) {
      Permission permission = pacer.acquire(now);
      if (permission instanceof Permission.Granted granted) {
        return granted.ticket();
      }
      now = ((Permission.Wait) permission).untilMicros();
    }
  }

  private long held() {
    return ((Permission.Wait) pacer.acquire(now)).untilMicros() - now;
  }

  private void answer(Ticket ticket, Answer answer) {
    now += ROUND_TRIP;
    pacer.answered(ticket, answer, now);
  }
}
