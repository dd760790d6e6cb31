package dev.comporta.client.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderReaderTest {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  static Stream<RecordedResponse> responses() {
    return RecordedResponse.all().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("responses")
  void readsRecordedResponses(RecordedResponse response) {
    RateLimitSnapshot snapshot =
        HeaderReader.read(response.status(), response.headers(), response.receivedAt());

    assertThat(snapshot.tightest().map(HeaderReaderTest::described).orElse(""))
        .isEqualTo(response.value("tightest").orElse(""));
    assertThat(snapshot.retryAfter().map(wait -> String.valueOf(wait.toMillis())))
        .isEqualTo(response.value("retryAfterMs"));
    response.value("bucket").ifPresent(bucket -> assertThat(snapshot.bucket()).contains(bucket));
    assertThat(snapshot.windows().stream().map(HeaderReaderTest::length))
        .containsAll(response.values("length"));
  }

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
  void leavesOutLimitsThatDoNotCountRequests() {
    RateLimitSnapshot snapshot =
        read(
            200,
            Map.of(
                "RateLimit-Policy",
                List.of("\"bytes\";q=65535;qu=\"content-bytes\";w=10, \"calls\";q=10;w=1"),
                "RateLimit",
                List.of("\"bytes\";r=0;t=6, \"calls\";r=7;t=1")));

    assertThat(snapshot.windows()).hasSize(1);
    assertThat(snapshot.tightest().flatMap(Window::name)).contains("calls");
  }

  @Test
  void hintIsTheLastEndOfTheExhaustedWindowsWhenNoWaitIsAsked() {
    RateLimitSnapshot snapshot =
        read(429, Map.of("RateLimit", List.of("\"a\";r=0;t=3, \"b\";r=0;t=7, \"c\";r=1;t=60")));

    assertThat(snapshot.waitHint()).contains(Duration.ofSeconds(7));
  }

  @Test
  void neverThrowsWhateverIsSent() {
    long seed = 20261130;
    Random random = new Random(seed);
    List<RecordedResponse> responses = RecordedResponse.all();
    for (int i = 0; i < 3_000; i++) {
      Map<String, List<String>> garbled =
          garbled(responses.get(random.nextInt(responses.size())).headers(), random);

      assertThatCode(() -> read(429, garbled))
          .as("seed %d, round %d: %s", seed, i, garbled)
          .doesNotThrowAnyException();
    }
  }

  private static Map<String, List<String>> garbled(
      Map<String, List<String>> headers, Random random) {
    String alphabet = "0123456789-+.,;=\"\\()?:@%*rtqwpk \tGMTé३\u0000";
    Map<String, List<String>> garbled = new LinkedHashMap<>();
    headers.forEach(
        (name, values) -> {
          List<String> lines = new ArrayList<>();
          for (String value : values) {
            StringBuilder text = new StringBuilder(value);
            for (int n = random.nextInt(4); n > 0; n--) {
              int at = random.nextInt(text.length() + 1);
              int end = Math.min(text.length(), at + random.nextInt(3));
              char c = alphabet.charAt(random.nextInt(alphabet.length()));
              text.replace(at, end, String.valueOf(c).repeat(random.nextInt(20)));
            }
            lines.add(text.toString());
          }
          garbled.put(name, lines);
        });
    return garbled;
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

  private static String described(Window window) {
    List<String> parts = new ArrayList<>();
    window.limit().ifPresent(limit -> parts.add("limit=" + limit));
    window.remaining().ifPresent(remaining -> parts.add("remaining=" + remaining));
    window.resetAfter().ifPresent(reset -> parts.add("resetMs=" + reset.toMillis()));
    return String.join(" ", parts);
  }

  private static String length(Window window) {
    return "%s %s"
        .formatted(window.limit().orElse(-1), window.length().map(Duration::toSeconds).orElse(-1L));
  }
}
