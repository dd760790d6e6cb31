package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {

  @ParameterizedTest
  @CsvSource({
    "-9223372036854775808, 1",
    "0, 1",
    "1, 1",
    "999999, 1",
    "1000000, 1",
    "1000001, 2",
    "60000000, 60",
    "9223372036854775807, 9223372036855"
  })
  void isTheWaitInWholeSecondsRoundedUpAndAtLeastOne(long micros, long seconds) {
    assertThat(RetryAfter.seconds(micros)).isEqualTo(seconds);
  }
}
