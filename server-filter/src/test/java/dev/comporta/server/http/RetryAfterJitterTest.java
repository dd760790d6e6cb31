package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterJitterTest {

  /** The one that draws the least, and the one that draws the most. */
  private static final long LEAST = 0;

  private static final long MOST = -1;

  @Test
  void addsNothingUnlessAsked() {
    assertThat(RetryAfterJitter.NONE.apply(60, MOST)).isEqualTo(60);
    assertThat(percent(0).apply(60, MOST)).isEqualTo(60);
    assertThat(maximum(0).apply(60, MOST)).isEqualTo(60);
  }

  @ParameterizedTest
  @CsvSource({"60, 10, 66", "1, 10, 2", "11, 10, 13", "60, 100, 120", "1, 1, 2"})
  void addsUpToAPercentageRoundedUp(long seconds, int percent, long atMost) {
    assertThat(percent(percent).apply(seconds, LEAST)).isEqualTo(seconds);
    assertThat(percent(percent).apply(seconds, MOST)).isEqualTo(atMost);
  }

  @ParameterizedTest
  @CsvSource({"60, 5, 65", "1, 5, 6", "1, 86400, 86401"})
  void addsUpToAMaximumWhateverTheWait(long seconds, long maximum, long atMost) {
    assertThat(maximum(maximum).apply(seconds, LEAST)).isEqualTo(seconds);
    assertThat(maximum(maximum).apply(seconds, MOST)).isEqualTo(atMost);
  }

  @Test
  void addsTheSmallerOfBoth() {
    RetryAfterJitter both = new RetryAfterJitter(OptionalInt.of(50), OptionalLong.of(5));

    assertThat(both.apply(4, MOST)).isEqualTo(6);
    assertThat(both.apply(60, MOST)).isEqualTo(65);
  }

  @Test
  void addsAtMostADayToTheLongestWait() {
    long longest = RetryAfter.seconds(Long.MAX_VALUE);

    assertThat(percent(100).apply(longest, MOST)).isEqualTo(longest + 86_400);
  }

  @ParameterizedTest
  @ValueSource(longs = {20_261_130, 7, 42})
  void drawsEachSecondAboutAsOftenAndNoOther(long seed) {
    Random random = new Random(seed);
    int[] drawn = new int[6];

    for (int i = 0; i < 60_000; i++) {
      drawn[Math.toIntExact(maximum(5).apply(60, random.nextLong()) - 60)]++;
    }

    for (int count : drawn) {
      assertThat(count).as("seed %d", seed).isBetween(9_600, 10_400);
    }
  }

  @Test
  void refusesWhatIsNoJitter() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> percent(101))
        .withMessage("the percentage of jitter must be 0 to 100, was 101");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> percent(-1))
        .withMessage("the percentage of jitter must be 0 to 100, was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> maximum(86_401))
        .withMessage("the maximum of jitter must be 0 to 86400 seconds, was 86401");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> maximum(-1))
        .withMessage("the maximum of jitter must be 0 to 86400 seconds, was -1");
  }

  private static RetryAfterJitter percent(int percent) {
    return new RetryAfterJitter(OptionalInt.of(percent), OptionalLong.empty());
  }

  private static RetryAfterJitter maximum(long seconds) {
    return new RetryAfterJitter(OptionalInt.empty(), OptionalLong.of(seconds));
  }
}
