package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.Estimate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitGrammarTest {

  @Test
  void readsEveryParameterInAnyOrderWithBlanks() {
    LimitSpec limit =
        LimitSpec.parse(
            " 60/1m ; shadow;segments = 10 ;by= address; estimate=observed;"
                + "algorithm=sliding-window-counter");

    assertThat(limit.permits()).isEqualTo(60);
    assertThat(limit.windowMicros()).isEqualTo(60_000_000);
    assertThat(limit.algorithm()).isEqualTo(Algorithm.SLIDING_WINDOW_COUNTER);
    assertThat(limit.estimate()).isEqualTo(Estimate.OBSERVED);
    assertThat(limit.segments()).isEqualTo(10);
    assertThat(limit.by()).isEqualTo(By.ADDRESS);
    assertThat(limit.isShadow()).isTrue();
    assertThat(limit.keyedBy()).isEmpty();
  }

  @Test
  void readsABurst() {
    assertThat(LimitSpec.parse("100/1m;burst=20").burst()).isEqualTo(20);
    assertThat(LimitSpec.parse("100/1m;burst=20").maxCost()).isEqualTo(20);
  }

  @Test
  void calendarWindowIsAFixedWindowInUtcUnlessItNamesAZone() {
    LimitSpec daily = LimitSpec.parse("1000/day");
    LimitSpec monthly = LimitSpec.parse("10000/month;zone=Europe/Lisbon");

    assertThat(daily.algorithm()).isEqualTo(Algorithm.FIXED_WINDOW);
    assertThat(daily.limitWindow())
        .isEqualTo(new CalendarWindow(CalendarWindow.Unit.DAY, ZoneOffset.UTC));
    assertThat(monthly.limitWindow())
        .isEqualTo(new CalendarWindow(CalendarWindow.Unit.MONTH, ZoneId.of("Europe/Lisbon")));
    assertThat(daily.windowMicros()).isEqualTo(86_400_000_000L);
    assertThat(monthly.window()).hasDays(31);
  }

  @Test
  void whatTheTextSaysStandsOverWhatIsGivenWithIt() {
    String text = "10/1m;algorithm=sliding-window-log";

    assertThat(LimitSpec.parse(text, Algorithm.FIXED_WINDOW).algorithm())
        .isEqualTo(Algorithm.SLIDING_WINDOW_LOG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100/1m",
        "100/1m;burst=20",
        "100/1m;burst=20;by=everyone;shadow",
        "5/15m;algorithm=sliding-window-log;by=address",
        "5/15m;algorithm=fixed-window",
        "100/1m;algorithm=sliding-window-counter;estimate=strict;segments=10;shadow",
        "1000/day",
        "1000/week;zone=Australia/Lord_Howe",
        "10000/month;zone=Europe/Lisbon;by=everyone",
        "10/day;zone=+05:45"
      })
  void writesWhatItReads(String text) {
    LimitSpec limit = LimitSpec.parse(text);

    assertThat(limit).hasToString(text);
    assertThat(LimitSpec.parse(limit.toString())).isEqualTo(limit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100/1m;brust=20 | did you mean burst?",
        "100/1m;Shadow | did you mean shadow?",
        "100/1m; | is none of algorithm, burst, by, estimate, segments, shadow, zone",
        "100/1m;burst=20;burst=20 | burst must be stated once",
        "100/1m;shadow;shadow | shadow must be stated once",
        "100/1m;shadow=true | shadow stands without a value, was 'shadow=true'",
        "100/1m;burst | burst needs a value, such as burst=10",
        "100/1m;by= | by needs a value, such as by=address",
        "100/1m;burst=-1 | burst must be a whole number, was '-1'",
        "100/1m;burst=0 | burst must be 1 to 2147483647, was 0",
        "100/1m;burst=99999999999999999999 | burst must be a whole number",
        "100/1m;by=ip | by must be one of caller, address, everyone, was 'ip'",
        "100/1m;algorithm=gcra | must be one of token-bucket, sliding-window-counter",
        "100/1m;algorithm=fixed-window;burst=100 | burst is for TOKEN_BUCKET only",
        "100/1m;segments=2 | segments is for SLIDING_WINDOW_COUNTER only",
        "100/1m;estimate=even | estimate is for SLIDING_WINDOW_COUNTER only",
        "100/1m;algorithm=sliding-window-counter;segments=61 | segments must be 1 to 60, was 61",
        "100/1m;algorithm=sliding-window-counter;segments=0 | segments must be 1 to 60, was 0",
        "100/1m;zone=Europe/Lisbon | zone is for the windows day, week and month only",
        "100/day;zone=Europe/Lisbom | did you mean Europe/Lisbon?",
        "100/day;algorithm=token-bucket | a calendar window is counted by FIXED_WINDOW only",
        "100/day;burst=7 | burst is for TOKEN_BUCKET only",
        "10001/1d;algorithm=sliding-window-log | must be 1 to 10000, since it keeps each of them",
        "100/year | a limit is permits/window",
      })
  void refusesWhatIsNotInTheGrammarAndShowsRuleAndText(String text, String rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitSpec.parse(text))
        .withMessageContaining(rule)
        .withMessageEndingWith("'" + text + "'");
  }

  @Test
  void calendarWindowCountsInOneWayOnly() {
    LimitSpec daily = LimitSpec.parse("1000/day");

    assertThat(daily.countedBy(Algorithm.TOKEN_BUCKET)).isSameAs(daily);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitSpec.parse("1000/day", Algorithm.SLIDING_WINDOW_LOG))
        .withMessageContaining("FIXED_WINDOW only");
  }

  @Test
  void algorithmThatCannotCountALimitIsNamedWithIt() {
    LimitSpec extreme = LimitSpec.parse("2147483647/400d", Algorithm.SLIDING_WINDOW_COUNTER);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> extreme.countedBy(Algorithm.TOKEN_BUCKET))
        .withMessageStartingWith("2147483647/400d as TOKEN_BUCKET: burst is too large");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> extreme.countedBy(Algorithm.SLIDING_WINDOW_LOG))
        .withMessageStartingWith("2147483647/400d as SLIDING_WINDOW_LOG: permits");
  }

  @Test
  void otherAlgorithmForgetsWhatItDoesNotKnow() {
    LimitSpec bucket = LimitSpec.parse("10/1m;burst=5;shadow;by=address");
    LimitSpec counter = bucket.countedBy(Algorithm.SLIDING_WINDOW_COUNTER);

    assertThat(counter).hasToString("10/1m;algorithm=sliding-window-counter;by=address;shadow");
    assertThat(counter.estimatedBy(Estimate.STRICT, 4).countedBy(Algorithm.TOKEN_BUCKET))
        .hasToString("10/1m;by=address;shadow");
    assertThat(bucket.countedBy(Algorithm.TOKEN_BUCKET).burst()).isEqualTo(5);
  }

  @Test
  void classThatNamesCallersStandsInPlaceOfBy() {
    CallerIdentifier nobody = request -> Optional.empty();
    LimitSpec keyed = LimitSpec.parse("10/1m;by=everyone").perEach(nobody.getClass());

    assertThat(keyed.keyedBy()).contains(nobody.getClass());
    assertThat(keyed.by()).isEqualTo(By.CALLER);
    assertThat(keyed.perEach(By.ADDRESS).keyedBy()).isEmpty();
  }

  @Test
  void zoneCanBeGivenToACalendarWindowOnly() {
    ZoneId lisbon = ZoneId.of("Europe/Lisbon");

    assertThat(LimitSpec.parse("10/day").in(lisbon)).hasToString("10/day;zone=Europe/Lisbon");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitSpec.parse("10/1d").in(lisbon))
        .withMessageContaining("day, week and month only");
  }
}
