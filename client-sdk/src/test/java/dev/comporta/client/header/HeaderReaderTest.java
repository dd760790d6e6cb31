package dev.comporta.client.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderReaderTest {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "99999999, 99999999000",
    "1796040030, 30000",
    "1796040030000, 30000",
    "1796040030000000, 30000",
    "1796040030000000000, 30000",
    "0, 0",
  })
  void tellsSpansFromInstantsByMagnitude(String reset, long millis) {
    assertThat(resetAfter(reset)).contains(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({
    "token-bucket, TOKEN_BUCKET",
    "weighted-window, WEIGHTED_WINDOW",
    "window-log, WINDOW_LOG",
    "fixed-window, FIXED_WINDOW"
  })
  void readsHowAServerOfComportaCountsAndItsMillis(String token, Counting counting) {
    Window window =
        windowOf(
            "\"a\";q=5;w=2;comporta-by=" + token + ";comporta-w=1500",
            "\"a\";r=3;t=2;comporta-t=1234");

    assertThat(window.counting()).contains(counting);
    assertThat(window.resetAfter()).contains(Duration.ofMillis(1234));
    assertThat(window.length()).contains(Duration.ofMillis(1500));
  }

  @ParameterizedTest
  @ValueSource(strings = {"comporta-by=other", "comporta-by=7", "comporta-w=-1", "comporta-w=0"})
  void passesOverHintsThatItDoesNotKnow(String hint) {
    Window window = windowOf("\"a\";q=5;w=2;" + hint, "\"a\";r=3;t=2;comporta-t=x");

    assertThat(window.counting()).isEmpty();
    assertThat(window.resetAfter()).contains(Duration.ofSeconds(2));
    assertThat(window.length()).contains(Duration.ofSeconds(2));
  }

  private static Window windowOf(String policy, String state) {
    Map<String, List<String>> header =
        Map.of("RateLimit-Policy", List.of(policy), "RateLimit", List.of(state));
    return HeaderReader.read(200, header, NOON).windows().get(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"100000000", "999999999", "-1", "soon", "1e3", "0x10", "NaN", "٣٠"})
  void readsNoResetWhereNoneIsMeant(String reset) {
    assertThat(resetAfter(reset)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Mon, 30 Nov 2026 12:01:00 GMT | 60",
        "Monday, 30-Nov-26 12:01:00 GMT | 60",
        "Mon Nov 30 12:01:00 2026 | 60",
        "Mon, 30 Nov 2026 12:00:60 GMT | 60",
        "Friday, 30-Nov-77 12:01:00 GMT | 0",
        "2147483647 | 2147483647",
        "2147483648 | 2147483648",
        "2147483649 | 2147483648",
        "7, 9, 8 | 9",
      })
  void readsEveryFormOfRetryAfter(String value, long seconds) {
    assertThat(retryAfter("Retry-After", value)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Tue, 31 Feb 2026 12:01:00 GMT",
        "Mon, 30 Nov 2026 25:01:00 GMT",
        "Mon, 30 Nov 99999 12:01:00 GMT",
        "-1",
        "+30",
        "1e3",
        "0x10",
        "NaN",
        "3s2",
        "s",
      })
  void readsNoWaitWhereNoneIsMeant(String value) {
    assertThat(retryAfter("Retry-After", value)).isEmpty();
  }

  @Test
  void prefersMillisecondsToSeconds() {
    RateLimitSnapshot snapshot =
        read(429, Map.of("Retry-After", List.of("5"), "retry-after-ms", List.of("4321")));

    assertThat(snapshot.retryAfter()).contains(Duration.ofMillis(4321));
  }

  @Test
  void keepsLimitsThatDoNotCountRequestsApart() {
    RateLimitSnapshot snapshot =
        read(
            200,
            Map.of(
                "RateLimit-Policy",
                List.of("\"bytes\";q=65535;qu=\"content-bytes\";w=10, \"calls\";q=10;w=1"),
                "RateLimit",
                List.of("\"bytes\";r=0;t=6, \"calls\";r=7;t=1")));

    assertThat(snapshot.windows()).extracting(Window::name).containsExactly(Optional.of("calls"));
    assertThat(snapshot.otherWindows())
        .extracting(window -> window.terms().unit())
        .containsExactly("content-bytes");
    assertThat(snapshot.bucket()).contains("calls");
  }

  @Test
  void hintIsTheLastEndOfTheExhaustedWindowsWhenNoWaitIsAsked() {
    RateLimitSnapshot snapshot =
        read(429, Map.of("RateLimit", List.of("\"a\";r=0;t=3, \"b\";r=0;t=7, \"c\";r=1;t=60")));

    assertThat(snapshot.waitHint()).contains(Duration.ofSeconds(7));
  }

  private static Optional<Duration> resetAfter(String reset) {
    return read(
            200,
            Map.of(
                "x-ratelimit-limit", List.of("100"),
                "x-ratelimit-remaining", List.of("5"),
                "x-ratelimit-reset", List.of(reset)))
        .tightest()
        .flatMap(Window::resetAfter);
  }

  private static Optional<Duration> retryAfter(String name, String value) {
    return read(429, Map.of(name, List.of(value))).retryAfter();
  }

  private static RateLimitSnapshot read(int status, Map<String, List<String>> headers) {
    return HeaderReader.read(status, headers, NOON);
  }
}
