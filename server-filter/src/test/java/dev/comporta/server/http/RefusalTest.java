package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTest {

  private static final List<WireLimit> LIMITS =
      List.of(new WireLimit("a-1m", 60_000_000, false), new WireLimit("b-1h", 1, false));

  private static final List<Standing> STANDINGS =
      List.of(new Standing(10, 0, 60_000_000, 6_000_000), new Standing(5, 5, 0, 0));

  @Test
  void saysWhenTheRequestPasses() {
    Refusal refusal = TooManyRequests.of(LIMITS, new Verdict.Refused(STANDINGS, 0, 0, 59_000_001));

    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.headers())
        .containsExactly(entry("Retry-After", "60"), entry("Cache-Control", "no-store"));
    assertThat(refusal.body())
        .isEqualTo(
            "{\"error\":\"Too Many Requests\",\"message\":\"Too many requests. Try again in 60"
                + " seconds.\",\"retryAfter\":60,\"policy\":\"a-1m\"}");
  }

  @Test
  void namesNoTimeWhenTheRequestNeverPasses() {
    Refusal refusal = TooManyRequests.of(LIMITS, new Verdict.Impossible(STANDINGS, 0, 1));

    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.headers()).containsExactly(entry("Cache-Control", "no-store"));
    assertThat(refusal.body())
        .contains("never pass")
        .contains("\"policy\":\"b-1h\"")
        .doesNotContain("retryAfter");
  }

  @Test
  void isNoFaultOfTheCallerWhenNoStoreDecides() {
    Refusal refusal = ServiceUnavailable.of(new Verdict.Unavailable(1));

    assertThat(refusal.status()).isEqualTo(503);
    assertThat(refusal.headers()).containsEntry("Retry-After", "1");
    assertThat(refusal.body())
        .isEqualTo(
            "{\"error\":\"Service Unavailable\",\"message\":\"The limits cannot be checked now. Try"
                + " again in 1 second.\",\"retryAfter\":1}");
  }
}
