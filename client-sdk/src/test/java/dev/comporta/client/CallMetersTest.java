package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.RateLimitedClient.Options;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.ws.rs.client.Client;
import java.io.IOException;
import java.time.Duration;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.junit.jupiter.api.Test;

class CallMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void countsWhatLimitsDoToCalls() throws IOException {
    Options options =
        Options.defaults()
            .withCallListener(new CallMeters(registry))
            .withMaxWait(Duration.ofSeconds(10));
    try (ScriptedServer server = new ScriptedServer();
        Client plain = new JerseyClientBuilder().build()) {
      server
          .then(429, "", "Retry-After: 2")
          .then(
              429,
              "",
              "Retry-After: 60",
              "RateLimit-Policy: \"p\";q=1;w=60",
              "RateLimit: \"p\";r=0;t=60");
      Client client = RateLimitedClient.wrap(plain, options, new FakeTimeline());

      client.target(server.uri()).request().get().close();
      try {
        client.target(server.uri()).request().get().close();
      } catch (RateLimitWaitException expected) {
        assertThat(expected.delay()).isPositive();
      }
    }

    assertThat(registry.get("comporta.client.refusals").tag("status", "429").counter().count())
        .isEqualTo(2);
    assertThat(registry.get("comporta.client.retries").counter().count()).isEqualTo(1);
    assertThat(
            registry
                .get("comporta.client.given.up")
                .tag("reason", "wait_too_long")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(
            registry
                .get("comporta.client.not.sent")
                .tag("reason", "wait_too_long")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(registry.get("comporta.client.waits").tag("cause", "retry").timer().count())
        .isEqualTo(1);
  }
}
