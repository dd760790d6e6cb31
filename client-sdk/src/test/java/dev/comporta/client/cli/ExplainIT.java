package dev.comporta.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.comporta.client.header.Corpus;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The jar, run as a process. */
class ExplainIT {

  private static final List<String> NOON = List.of("--received-at", "2026-11-30T12:00:00Z");

  /** One of each kind; the test of the reader has all. */
  private static final Set<String> SAMPLES =
      Set.of(
          "github-primary-403",
          "openai-ok",
          "kong-429",
          "strava-ok",
          "amazon-sp-api",
          "sentry-429",
          "telegram-429",
          "ietf-11-two-policies",
          "x-ra-fullwidth-digits",
          "x-reset-epoch-client-ahead",
          "x-all-empty",
          "x-t-huge");

  @TempDir private Path directory;

  private record Result(int exit, String out, String err) {

    JsonObject json() {
      try (JsonReader reader = Json.createReader(new StringReader(out))) {
        return reader.readObject();
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> tellsWhatTheCorpusSays() {
    return Corpus.all().stream()
        .filter(one -> SAMPLES.contains(one.id()))
        .map(one -> dynamicTest(one.id(), () -> check(one)));
  }

  private void check(Corpus.Case one) throws Exception {
    Result result = explain(head(one), List.of("--received-at", one.receivedAt().toString()));

    assertThat(result.exit()).as(result.err()).isZero();
    JsonObject told = result.json();
    for (String key : List.of("limit", "remaining", "resetAt", "retryAfterMs", "policyName")) {
      assertThat(told.get(key)).as(key).isEqualTo(one.expected().get(key));
    }
    if (one.expected().containsKey("windows")) {
      List<JsonObject> windows = told.getJsonArray("windows").getValuesAs(JsonObject.class);
      List<JsonObject> expected =
          one.expected().getJsonArray("windows").getValuesAs(JsonObject.class);
      assertThat(windows).hasSameSizeAs(expected);
      for (int i = 0; i < windows.size(); i++) {
        assertThat(windows.get(i)).containsAllEntriesOf(expected.get(i));
      }
    }
  }

  @Test
  void takesTheLastOfSeveralHeads() throws Exception {
    Result result =
        explain(
            """
            HTTP/1.1 200 Connection established\r
            X-RateLimit-Limit: 1\r
            \r
            HTTP/1.1 100 Continue\r
            \r
            HTTP/1.1 301 Moved Permanently\r
            RateLimit: "old";r=0;t=10\r
            \r
            HTTP/2 200\s
            ratelimit: "new";r=5;t=10
            """,
            NOON);

    assertThat(result.json().getInt("remaining")).isEqualTo(5);
    assertThat(result.json().getString("policyName")).isEqualTo("new");
    assertThat(result.json()).doesNotContainKey("limit");
    assertThat(result.json().getString("advice"))
        .isEqualTo(
            "Go on: 5 left in \"new\" until 2026-11-30T12:00:10Z. Pace so that they suffice.");
  }

  @Test
  void knowsSomeVendorsByTheirHostOnly() throws Exception {
    String head = "HTTP/1.1 429 Too Many Requests\n\n";

    assertThat(advice(head, List.of("--url", "https://api.airtable.com/v0/base")))
        .isEqualTo(
            "Refused: wait at least 30 s, then send the request again"
                + " if its entity can be sent again.");
    assertThat(advice(head, List.of("--url", "https://api.example/v0/base")))
        .isEqualTo(
            "Refused: wait at least 0.250 s, which is its own choice as none is told, then send"
                + " the request again if its entity can be sent again.");
  }

  @Test
  void advisesWhatTheClientDoes() throws Exception {
    assertThat(advice("HTTP/1.1 429 \nRetry-After: 3600\n", NOON))
        .isEqualTo(
            "Refused until 2026-11-30T13:00:00Z, which is 1 h away and longer than a call may wait"
                + " (30 s by default): do not wait, hand the response to the caller at once with"
                + " that time.");
    assertThat(advice("HTTP/1.1 503 \nRetry-After: 1\nStripe-Should-Retry: false\n", NOON))
        .startsWith("Refused, and the server says that it must not be sent again");
    assertThat(advice("HTTP/1.1 403 Forbidden\n", NOON))
        .startsWith("Not refused for its rate: hand the response to the caller");
    assertThat(advice("HTTP/1.1 200 OK\nRateLimit: \"a\";r=0;t=9\n", NOON))
        .isEqualTo(
            "Nothing is left in \"a\":"
                + " hold the next request back until 2026-11-30T12:00:09Z (9 s).");
    assertThat(advice("HTTP/1.1 200 OK\n", NOON)).isEqualTo("It tells no quota: go on unpaced.");
  }

  @Test
  void readsWhatIsMalformedHonestly() throws Exception {
    Result result = explain("\u0000\u0001 no head: at all\nRetry-After\n: 5\nHTTP/1.1 abc", NOON);

    assertThat(result.exit()).isZero();
    assertThat(result.json()).containsOnlyKeys("advice");
  }

  @Test
  void endsWithTwoAndItsUsageWhenNothingIsGiven() throws Exception {
    for (String nothing : List.of("", "\r\n\r\n")) {
      Result result = explain(nothing, NOON);

      assertThat(result.exit()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains("Usage: comporta explain").contains("standard input");
    }
  }

  @Test
  void endsWithTwoWhenAnOptionCannotBeRead() throws Exception {
    Result result = explain("HTTP/1.1 200 OK\n", List.of("--received-at", "noon"));

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("--received-at");
  }

  @Test
  void readsTheClockWhenTheTimeOfReceiptIsNotGiven() throws Exception {
    Result result = explain("HTTP/1.1 200 OK\nRateLimit: \"a\";r=1;t=9\n", List.of());

    assertThat(result.json().getString("resetAt")).isGreaterThan("2026-01-01");
  }

  private String advice(String head, List<String> options) throws Exception {
    return explain(head, options).json().getString("advice");
  }

  private Result explain(String input, List<String> options) throws Exception {
    Path in = Files.writeString(directory.resolve("in"), input);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar().toString(),
                "explain"));
    command.addAll(options);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Result(
        process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }

  private static Path jar() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files.filter(file -> file.toString().endsWith("-cli.jar")).findFirst().orElseThrow();
    }
  }

  private static String head(Corpus.Case one) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + one.status() + " \r\n");
    one.headers()
        .forEach(
            (name, lines) ->
                lines.forEach(line -> head.append(name).append(": ").append(line).append("\r\n")));
    one.body().ifPresent(body -> head.append("\r\n").append(body));
    return head.toString();
  }
}
