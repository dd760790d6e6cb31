package dev.comporta.example;

import static dev.comporta.example.Answers.count;
import static dev.comporta.example.Answers.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two servers that share one Redis are one server to their callers. */
class TwoNodesIT {

  @Test
  void twoNodesThatShareARedisShareTheQuota() throws IOException {
    try (RedisProcess redis = RedisProcess.start();
        WildFlyNode first = WildFlyNode.start("first", sharing(redis));
        WildFlyNode second = WildFlyNode.start("second", sharing(redis))) {
      List<HttpApi> nodes = List.of(first.awaitReady(), second.awaitReady());
      assertThat(Polling.until(Duration.ofMinutes(2), () -> isShared(nodes))).isTrue();

      List<HttpResponse<String>> answers =
          QuickRequests.withinOneMinute(
              key -> alternately(nodes, 101, key), "demo-free", "it-spare");

      assertThat(nodes.get(0).get("api/status").body()).contains("redis");
      assertThat(count(200, answers)).isEqualTo(100);
      assertThat(answers.get(100).statusCode()).isEqualTo(429);
    }
  }

  /** Whether three requests, to the first, the second and the first, are counted as three. */
  private static boolean isShared(List<HttpApi> nodes) {
    List<Long> remaining =
        alternately(nodes, 3, "demo-premium").stream()
            .map(answer -> Long.parseLong(header(answer, "X-RateLimit-Remaining")))
            .toList();
    return remaining.get(1) == remaining.get(0) - 1 && remaining.get(2) == remaining.get(0) - 2;
  }

  private static List<HttpResponse<String>> alternately(
      List<HttpApi> nodes, int times, String key) {
    return IntStream.range(0, times)
        .mapToObj(i -> nodes.get(i % nodes.size()).get("api/books", "X-API-Key", key))
        .toList();
  }

  private static Map<String, String> sharing(RedisProcess redis) {
    Map<String, String> configuration = new HashMap<>();
    configuration.put("comporta.store", "redis");
    configuration.put("comporta.redis.address", redis.address());
    // On a busy machine, late is not down: this test is about counting, not about time.
    configuration.put("comporta.store-budget", "10s");
    configuration.put("comporta.api-keys.it-spare.sha256", ExampleArchive.sha256("it-spare"));
    return configuration;
  }
}
