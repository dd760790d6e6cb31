package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.comporta.client.RateLimitedClient.Options;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RateLimitedHttpClientTest {

  private static final String POLICY = "RateLimit-Policy: \"p\";q=10;w=10";
  private static final String NOTHING_LEFT = "RateLimit: \"p\";r=0;t=7";

  private final FakeTimeline timeline = new FakeTimeline();
  private final ScriptedServer server;

  RateLimitedHttpClientTest() throws IOException {
    server = new ScriptedServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void waitsAsAskedAndSendsAgainWithTheBody() throws Exception {
    server.then(429, "", "Retry-After: 3").then(200, "done");

    HttpResponse<String> response =
        client(Options.defaults()).send(post("body"), BodyHandlers.ofString());

    assertThat(response.body()).isEqualTo("done");
    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("body", "body");
    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_300));
  }

  @Test
  void waitsWithoutAThreadAndSendsAgain() {
    server.then(200, "", POLICY, NOTHING_LEFT).then(429, "", "Retry-After: 1").then(200, "done");
    RateLimitedHttpClient client = client(Options.defaults());
    client.sendAsync(get(), BodyHandlers.ofString()).join();

    CompletableFuture<HttpResponse<String>> response =
        client.sendAsync(get(), BodyHandlers.ofString());

    assertThat(response).succeedsWithin(Duration.ofSeconds(20));
    assertThat(response.join().body()).isEqualTo("done");
    assertThat(timeline.waited()).isGreaterThanOrEqualTo(Duration.ofSeconds(8));
  }

  @Test
  void aPublisherOfARefusalThatIsRepeatedIsCancelledAndTheLastOneIsTheCallers() throws Exception {
    server.then(429, "", "Retry-After: 1").then(429, "", "Retry-After: 1").then(200, "done");
    AtomicInteger cancelled = new AtomicInteger();
    Flow.Publisher<String> publisher =
        subscriber ->
            subscriber.onSubscribe(
                new Flow.Subscription() {
                  @Override
                  public void request(long count) {}

                  @Override
                  public void cancel() {
                    cancelled.incrementAndGet();
                  }
                });

    client(Options.defaults())
        .send(get(), info -> HttpResponse.BodySubscribers.replacing(publisher));

    assertThat(server.received()).hasSize(3);
    assertThat(cancelled).hasValue(2);
  }

  @Test
  void waitsWhatOnlyTheTextTells() throws Exception {
    server
        .then(429, "{\"parameters\":{\"retry_after\":35}}", "Content-Type: application/json")
        .then(200, "done");

    client(Options.defaults().withMaxWait(Duration.ofMinutes(1)))
        .send(get(), BodyHandlers.ofString());

    assertThat(timeline.waited()).isGreaterThanOrEqualTo(Duration.ofSeconds(35));
  }

  @Test
  void aRequestThatWouldWaitTooLongIsNotSent() throws Exception {
    server.then(429, "", "Retry-After: 60", POLICY, "RateLimit: \"p\";r=0;t=60");
    RateLimitedHttpClient client = client(Options.defaults());
    client.send(get(), BodyHandlers.discarding());

    RateLimitWaitException thrown =
        catchThrowableOfType(
            RateLimitWaitException.class, () -> client.send(get(), BodyHandlers.discarding()));

    assertThat(thrown.delay()).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
    assertThat(client.sendAsync(get(), BodyHandlers.discarding()))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RateLimitWaitException.class);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void interruptEndsTheWaitAsThatOfThePlatformsClientDoes() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    RateLimitedHttpClient client =
        client(
            Options.defaults().withListener((origin, delay) -> Thread.currentThread().interrupt()));
    client.send(get(), BodyHandlers.discarding());

    assertThatThrownBy(() -> client.send(get(), BodyHandlers.discarding()))
        .isInstanceOf(InterruptedException.class);

    assertThat(Thread.interrupted()).as("flag, cleared by the exception").isFalse();
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aPostWithAnIdempotencyKeyIsSentAgainAfter503() throws Exception {
    server.then(503, "", "Retry-After: 1").then(200, "done");

    client(Options.defaults().withIdempotencyHeader("Idempotency-Key"))
        .send(post("x"), BodyHandlers.ofString());

    assertThat(server.received()).hasSize(2);
    assertThat(server.received().get(0).idempotencyKey())
        .hasSize(36)
        .isEqualTo(server.received().get(1).idempotencyKey());
  }

  @Test
  void aServerThatCannotBeReachedIsTheExceptionOfThePlatformsClient() {
    HttpRequest request = get();
    server.close();

    assertThatThrownBy(() -> client(Options.defaults()).send(request, BodyHandlers.discarding()))
        .isInstanceOf(IOException.class);
    assertThat(client(Options.defaults()).sendAsync(request, BodyHandlers.discarding()))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(IOException.class);
  }

  private RateLimitedHttpClient client(Options options) {
    return RateLimitedHttpClient.wrap(HttpClient.newHttpClient(), options, timeline);
  }

  private HttpRequest get() {
    return HttpRequest.newBuilder(server.uri()).build();
  }

  private HttpRequest post(String body) {
    return HttpRequest.newBuilder(server.uri()).POST(BodyPublishers.ofString(body)).build();
  }
}
