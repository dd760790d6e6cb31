package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.comporta.client.RateLimitedClient.Options;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.WebTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The id by which the operators of a server find a request that they refused. */
@Timeout(60)
class RequestIdTest {

  private final FakeTimeline timeline = new FakeTimeline();
  private final List<CallEvent> events = new CopyOnWriteArrayList<>();
  private final ScriptedServer server;
  private final Client plain = new JerseyClientBuilder().build();

  RequestIdTest() throws IOException {
    server = new ScriptedServer();
  }

  @AfterEach
  void stop() {
    plain.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatIsGivenUpAfterARefusalNamesIt(Way way) {
    server
        .then(429, "", "Retry-After: 1", "X-Request-Id: of-the-first")
        .then(429, "", "Retry-After: 3600", "X-Request-Id: of-another");
    AtomicBoolean isFirst = new AtomicBoolean(true);
    WebTarget[] target = new WebTarget[1];
    // While the call waits for its second sending, another learns of a much longer wait.
    target[0] =
        target(
            Options.defaults()
                .withListener(
                    (origin, delay) -> {
                      if (isFirst.getAndSet(false)) {
                        target[0].request().get().close();
                      }
                    }));

    Throwable thrown = catchThrowable(() -> way.text(target[0].request()));

    assertThat(ClientContract.cause(thrown))
        .isInstanceOfSatisfying(
            RateLimitWaitException.class,
            e -> {
              assertThat(e.requestId()).contains("of-the-first");
              assertThat(e).hasMessageContaining("request id of-the-first");
            });
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void aCallThatWasNeverSentNamesNone() {
    server.then(429, "", "Retry-After: 3600", "X-Request-Id: of-another");
    WebTarget target = target(Options.defaults());
    target.request().get().close();

    Throwable thrown = catchThrowable(() -> target.request().get(String.class));

    assertThat(ClientContract.cause(thrown))
        .isInstanceOfSatisfying(
            RateLimitWaitException.class, e -> assertThat(e.requestId()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Request-ID", "Request-Id", "X-GitHub-Request-Id", "CF-Ray"})
  void theListenerIsToldTheIdWhateverItsHeader(String header) {
    server.then(429, "", "Retry-After: 3600", header + ": abc-1");

    target(Options.defaults()).request().get().close();

    assertThat(events)
        .filteredOn(CallEvent.Refused.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            CallEvent.Refused.class, e -> assertThat(e.requestId()).contains("abc-1"));
  }

  @Test
  void anIdThatWouldSpoilALogIsNotTaken() {
    server.then(429, "", "Retry-After: 3600", "X-Request-Id: " + "a".repeat(129));

    target(Options.defaults()).request().get().close();

    assertThat(events)
        .filteredOn(CallEvent.Refused.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(CallEvent.Refused.class, e -> assertThat(e.requestId()).isEmpty());
  }

  private WebTarget target(Options options) {
    return RateLimitedClient.wrap(
            plain,
            options.withMaxWait(Duration.ofSeconds(30)).withCallListener(events::add),
            timeline)
        .target(server.uri());
  }
}
