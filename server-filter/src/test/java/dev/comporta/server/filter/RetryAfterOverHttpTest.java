package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.contract.ContractApplication;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.store.MicrosClock;
import java.net.http.HttpResponse;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time is moved on by hand; nobody sleeps. */
class RetryAfterOverHttpTest {

  private static final long SECOND = 1_000_000;

  private final AtomicLong nowMicros = new AtomicLong(1_796_000_000_123_457L);
  private final MicrosClock clock = nowMicros::get;
  private final JerseyServer server =
      new JerseyServer(
          ResourceConfig.forApplicationClass(ContractApplication.class)
              .property(RateLimitFeature.CLOCK, clock));
  private final HttpApi api = new HttpApi(server.base().resolve("api/"));

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"limits/bucket", "limits/window"})
  void aLoneCallerIsAdmittedAfterExactlyRetryAfterAndNotASecondBefore(String path) {
    Random random = new Random(20_261_130);
    int refusals = 0;
    for (int i = 0; i < 150; i++) {
      HttpResponse<String> answer = api.get(path);
      if (answer.statusCode() == 429) {
        refusals++;
        long seconds = Long.parseLong(only(answer, "Retry-After"));
        assertThat(seconds).isBetween(1L, 60L);

        nowMicros.addAndGet((seconds - 1) * SECOND);
        assertThat(api.get(path).statusCode()).as("before").isEqualTo(429);
        nowMicros.addAndGet(SECOND);
        assertThat(api.get(path).statusCode()).as("at Retry-After").isEqualTo(200);
      }
      nowMicros.addAndGet(random.nextLong(4 * SECOND));
    }
    assertThat(refusals).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"limits/bucket", "limits/window"})
  void theQuotaIsWholeAgainAtReset(String path) {
    for (int i = 0; i < 6; i++) {
      assertThat(api.get(path).statusCode()).isEqualTo(200);
    }
    long resetSeconds = Long.parseLong(only(api.get(path), "X-RateLimit-Reset"));

    nowMicros.set(resetSeconds * SECOND);

    assertThat(only(api.get(path), "X-RateLimit-Remaining")).isEqualTo("5");
  }
}
