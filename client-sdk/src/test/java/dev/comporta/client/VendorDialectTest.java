package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.header.RateLimitDialect;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.jboss.resteasy.client.jaxrs.internal.ResteasyClientBuilderImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What vendors tell in ways of their own is obeyed, and what an application has taught. */
@ParameterizedClass(name = "{0}")
@MethodSource("implementations")
class VendorDialectTest {

  private static final String GITHUB = "X-GitHub-Request-Id: 1";
  private static final String JSON = "Content-Type: application/json";
  private static final String SECONDARY =
      "{\"message\":\"You have exceeded a secondary rate limit.\"}";
  private static final String FORBIDDEN = "{\"message\":\"Resource not accessible.\"}";
  private static final Options TWO_MINUTES = Options.defaults().withMaxWait(Duration.ofMinutes(2));

  private final FakeTimeline timeline = new FakeTimeline();
  private final ScriptedServer server;
  private final Client plain;

  VendorDialectTest(ClientBuilder builder) throws IOException {
    this.server = new ScriptedServer();
    this.plain = builder.build();
  }

  static Stream<ClientBuilder> implementations() {
    return Stream.of(new JerseyClientBuilder(), new ResteasyClientBuilderImpl());
  }

  @AfterEach
  void stop() {
    plain.close();
    server.close();
  }

  @Test
  void waitsWhatTheVendorsDocumentsAskForWhenOnlyTheTextTellsTheRefusal() {
    server.then(403, SECONDARY, GITHUB, JSON).then(200, "done");

    try (Response response = request(TWO_MINUTES).post(Entity.text("issue"))) {
      assertThat(response.readEntity(String.class)).isEqualTo("done");
    }
    assertThat(timeline.retryWaits()).singleElement().satisfies(VendorDialectTest::isAMinute);
  }

  @Test
  void handsBackWhatIsForbiddenForAnotherReasonWithItsText() {
    server.then(403, FORBIDDEN, GITHUB, JSON);

    try (Response response = request(TWO_MINUTES).get()) {
      assertThat(response.getStatus()).isEqualTo(403);
      assertThat(response.readEntity(String.class)).isEqualTo(FORBIDDEN);
    }
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void neverSendsAgainWhatTheServerForbids() {
    server.then(429, "no", "Retry-After: 1", "X-Should-Retry: false");

    try (Response response = request(TWO_MINUTES).get()) {
      assertThat(response.getStatus()).isEqualTo(429);
    }
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void waitsWhatOnlyTheTextTells() {
    server.then(429, "{\"parameters\":{\"retry_after\":35}}", JSON).then(200, "done");

    assertThat(request(TWO_MINUTES).get(String.class)).isEqualTo("done");

    assertThat(timeline.retryWaits().get(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
  }

  @Test
  void obeysADialectThatTheApplicationTeaches() {
    RateLimitDialect dialect =
        RateLimitDialect.of(
            """
            [Ours]
            hosts    127.0.0.1
            refused  420
            wait     X-Rest s
            """);
    server.then(420, "calm down", "X-Rest: 7").then(200, "done");

    Options options = Options.defaults().withDialects(List.of(dialect));

    assertThat(request(options).get(String.class)).isEqualTo("done");
    assertThat(timeline.retryWaits().get(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
  }

  private static void isAMinute(Duration wait) {
    assertThat(wait).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
  }

  private Invocation.Builder request(Options options) {
    return RateLimitedClient.wrap(plain, options, timeline).target(server.uri()).request();
  }
}
