package dev.comporta.client.bench;

import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.ResponseHead;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Reading one answer, with the fields that answers have besides. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReadingBenchmark {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  /** The answer that is read. */
  @State(Scope.Benchmark)
  public static class Answer {

    @Param({"nothing", "plain", "comporta", "github", "openai", "refused"})
    String answer = "";

    ResponseHead head = head("nothing");

    @Setup
    public void make() {
      head = head(answer);
    }
  }

  /** All that the client does with a header. */
  @Benchmark
  public RateLimitSnapshot read(Answer answer) {
    return HeaderReader.read(answer.head, List.of());
  }

  private static ResponseHead head(String answer) {
    MultivaluedMap<String, String> headers = new MultivaluedHashMap<>();
    add(
        headers,
        "Date: Mon, 30 Nov 2026 12:00:00 GMT",
        "Content-Type: application/json; charset=utf-8",
        "Content-Length: 1234",
        "Cache-Control: private, max-age=60",
        "ETag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
        "Vary: Accept, Authorization, Accept-Encoding",
        "Server: nginx",
        "Connection: keep-alive",
        "Strict-Transport-Security: max-age=31536000; includeSubdomains; preload",
        "X-Content-Type-Options: nosniff");
    switch (answer) {
      case "nothing" -> add(headers);
      case "plain" ->
          add(headers, "RateLimit-Limit: 100", "RateLimit-Remaining: 73", "RateLimit-Reset: 16");
      case "comporta" ->
          add(
              headers,
              "X-RateLimit-Limit: 100",
              "X-RateLimit-Remaining: 73",
              "X-RateLimit-Reset: 1796040016",
              "RateLimit-Policy: \"search-1m\";q=100;w=60",
              "RateLimit: \"search-1m\";r=73;t=16");
      case "github" ->
          add(
              headers,
              "X-GitHub-Request-Id: 8A1E:2C3F:1B2D3E4:1C2D3E4:65F1A2B3",
              "X-RateLimit-Limit: 5000",
              "X-RateLimit-Remaining: 4987",
              "X-RateLimit-Reset: 1796041800",
              "X-RateLimit-Used: 13",
              "X-RateLimit-Resource: core");
      case "openai" ->
          add(
              headers,
              "x-ratelimit-limit-requests: 5000",
              "x-ratelimit-remaining-requests: 4999",
              "x-ratelimit-reset-requests: 12ms",
              "x-ratelimit-limit-tokens: 160000",
              "x-ratelimit-remaining-tokens: 159976",
              "x-ratelimit-reset-tokens: 6m0s");
      case "refused" ->
          add(
              headers,
              "Retry-After: 17",
              "X-RateLimit-Limit: 100",
              "X-RateLimit-Remaining: 0",
              "X-RateLimit-Reset: 17");
      default -> throw new IllegalArgumentException(answer);
    }
    int status = answer.equals("refused") ? 429 : 200;
    return new ResponseHead(
        Optional.of("api.example.com"), status, headers, NOON, Optional.empty());
  }

  private static void add(MultivaluedMap<String, String> headers, String... lines) {
    for (String line : lines) {
      int colon = line.indexOf(':');
      headers.add(line.substring(0, colon), line.substring(colon + 2));
    }
  }
}
