package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.comporta.server.api.Algorithm;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitSpecTest {

  @ParameterizedTest
  @CsvSource({
    "100/1m, 100, 60000",
    "5/500ms, 5, 500",
    "1/1ms, 1, 1",
    "20000/1d, 20000, 86400000",
    "2000000000/1s, 2000000000, 1000",
    "90000001/400d, 90000001, 34560000000",
    "10/90s, 10, 90000",
    "' 7/15m ', 7, 900000"
  })
  void readsPermitsAndWindow(String text, long permits, long windowMillis) {
    assertThat(LimitSpec.parse(text))
        .isEqualTo(LimitSpec.of(permits, Duration.ofMillis(windowMillis), Algorithm.TOKEN_BUCKET));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "100",
        "100/",
        "/1m",
        "100/1",
        "100/m",
        "-1/1m",
        "+1/1m",
        "1.5/1m",
        "100/1M",
        "1e3/1m",
        "100 / 1m",
        "１/1m",
        "٣/1m",
        "100/1w",
        "100/1m,",
        "99999999999999999999/1m"
      })
  void refusesWhatIsNoLimitAndShowsIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitSpec.parse(text))
        .withMessageContaining("permits/window")
        .withMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/1m", "2147483648/1m", "9223372036854775808/1m"})
  void refusesPermitsOutOfRange(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitSpec.parse(text))
        .withMessage("permits must be 1 to 2147483647, was '" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1/0ms", "1/401d", "1/9601h", "1/9223372036854775807d"})
  void refusesWindowsOutOfRange(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitSpec.parse(text))
        .withMessage("window must be 1ms to 400d, was '" + text + "'");
  }

  @Test
  void refusesABurstThatCannotBeCountedExactly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitSpec.parse("2147483647/400d"))
        .withMessageContaining("counted exactly")
        .withMessageContaining("2147483647");
    assertThat(LimitSpec.parse("2147483647/400d", Algorithm.SLIDING_WINDOW_COUNTER).permits())
        .isEqualTo(2_147_483_647L);
  }

  @Test
  void refusesABurstThatTakesMoreThanACenturyToComeBack() {
    LimitSpec slow = LimitSpec.parse("1/400d");

    assertThat(slow.withBurst(91).burst()).isEqualTo(91);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> slow.withBurst(92))
        .withMessageContaining("100 years");
  }

  @Test
  void refusesABurstForAWindow() {
    LimitSpec window = LimitSpec.parse("10/1m").countedBy(Algorithm.SLIDING_WINDOW_COUNTER);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> window.withBurst(11))
        .withMessageContaining("TOKEN_BUCKET only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"100/1m", "5/1500ms", "1/1d", "10/36h", "3/1s", "7/400d"})
  void writesWhatItReads(String text) {
    assertThat(LimitSpec.parse(text)).hasToString(text);
  }
}
