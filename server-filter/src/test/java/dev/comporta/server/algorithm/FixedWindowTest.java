package dev.comporta.server.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.policy.LimitSpec;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixedWindowTest {

  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;

  private static RateAlgorithm of(String text) {
    return RateAlgorithm.of(LimitSpec.parse(text + ";algorithm=fixed-window"));
  }

  private static long micros(String zoned) {
    return ZonedDateTime.parse(zoned).toEpochSecond() * SECOND;
  }

  @ParameterizedTest
  @CsvSource({"0, 60", "1, 59", "47, 13", "59, 1"})
  void waitIsWhatIsLeftOfTheWindow(long passed, long left) {
    RateAlgorithm window = of("5/1m");
    long[] state = window.charge(window.newState(), 5, 0);

    assertThat(window.decide(state, 1, passed * SECOND))
        .isEqualTo(new Decision.Denied(left * SECOND));
  }

  @Test
  void startsAnewAtTheEdgeAndNotBefore() {
    RateAlgorithm window = of("5/1m");
    long[] state = window.charge(window.newState(), 5, 0);

    assertThat(window.decide(state, 1, MINUTE - 1)).isEqualTo(new Decision.Denied(1));
    assertThat(window.decide(state, 5, MINUTE)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void usageOfAShorterWindowCountsInTheLongerOneIfItWasChargedInIt() {
    RateAlgorithm perMinute = of("10/1m");
    RateAlgorithm perHour = of("10/1h");
    long[] state = perMinute.charge(perMinute.newState(), 4, MINUTE);

    assertThat(perHour.standing(state, 5 * MINUTE).remaining()).isEqualTo(6);
    assertThat(perHour.standing(state, 61 * MINUTE).remaining()).isEqualTo(10);
  }

  @Test
  void clockThatStepsBackKeepsTheUsageUntilTheEndOfTheWindowOnly() {
    RateAlgorithm window = of("5/1m");
    long[] state = window.charge(window.newState(), 5, 100 * MINUTE);
    long earlier = 10 * MINUTE + 20 * SECOND;

    window.rebase(state, earlier);

    assertThat(window.decide(state, 1, earlier)).isEqualTo(new Decision.Denied(40 * SECOND));
    assertThat(window.decide(state, 5, earlier + 40 * SECOND)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void refundOfAnEarlierWindowGivesNothing() {
    RateAlgorithm window = of("5/1m");
    long[] state = window.charge(window.newState(), 5, 0);
    state = window.charge(state, 5, MINUTE);

    window.refund(state, 3, MINUTE - 1, MINUTE);
    long afterOld = window.standing(state, MINUTE).remaining();
    window.refund(state, 3, MINUTE, MINUTE + 1);

    assertThat(afterOld).isZero();
    assertThat(window.standing(state, MINUTE + 1).remaining()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "10/day;zone=Europe/Lisbon, 2026-03-29T00:30:00Z, 81000", // a day of 23 hours
    "10/day;zone=Europe/Lisbon, 2026-10-24T23:30:00Z, 88200", // a day of 25 hours
    "10/day;zone=Australia/Lord_Howe, 2026-04-04T13:00:00Z, 88200", // 24 and a half
    "10/month, 2028-02-28T12:00:00Z, 129600", // a leap day is still to come
    "10/month, 2026-02-28T12:00:00Z, 43200",
    "10/week, 2026-11-30T00:00:00Z, 604800", // a Monday
    "10/week, 2026-11-29T23:59:59Z, 1",
  })
  void calendarWindowsEndWhenTheWallClockSays(String text, String now, long seconds) {
    RateAlgorithm window = RateAlgorithm.of(LimitSpec.parse(text));
    long[] state = window.charge(window.newState(), 10, micros(now));

    assertThat(window.decide(state, 1, micros(now)))
        .isEqualTo(new Decision.Denied(seconds * SECOND));
    assertThat(window.decide(state, 10, micros(now) + seconds * SECOND))
        .isEqualTo(Decision.ALLOWED);
  }
}
