package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.pacing.Pacing;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client of every implementation does that obeys limits, in every way to call. */
@Timeout(60)
abstract class ClientContract {

  private static final String POLICY = "RateLimit-Policy: \"p\";q=10;w=10";
  private static final String NOTHING_LEFT = "RateLimit: \"p\";r=0;t=7";

  final FakeTimeline timeline = new FakeTimeline();
  ScriptedServer server;
  Client plain;

  /** A client of the implementation, new. */
  abstract Client newClient();

  /** Makes the client obey limits. */
  Client limited(Client client, Options options, FakeTimeline time) {
    return RateLimitedClient.wrap(client, options, time);
  }

  /**
   * Whether the implementation itself ends a call of that way when the server cannot be reached.
   */
  boolean isToldOfFailures(Way way) {
    return true;
  }

  /** What a callback is told of a refusal; the future beside it has the standard exception. */
  Class<? extends Throwable> refusalOfACallback() {
    return ClientErrorException.class;
  }

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer();
    plain = newClient();
  }

  @AfterEach
  void stop() {
    plain.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void waitsAsAskedAndSendsAgain(Way way) {
    server.then(429, "slow down", "Retry-After: 3").then(200, "done");

    assertThat(way.text(target(Options.defaults()).request())).isEqualTo("done");

    assertThat(server.received()).hasSize(2);
    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_900));
  }

  @ParameterizedTest
  @EnumSource
  void holdsARequestBackWhenNothingIsLeft(Way way) {
    server.then(200, "one", POLICY, NOTHING_LEFT);
    WebTarget target = target(Options.defaults());

    way.text(target.request());
    Duration before = timeline.waited();
    way.text(target.request());

    assertThat(before).isZero();
    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
    assertThat(server.received()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void sendsAtOnceWhenPacingIsOff(Way way) {
    server.then(200, "one", POLICY, NOTHING_LEFT);
    WebTarget target = target(Options.defaults().withPacing(Pacing.OFF));

    way.text(target.request());
    way.text(target.request());

    assertThat(timeline.waited()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatWouldWaitTooLongIsNotSentAndSaysSo(Way way) {
    server.then(429, "", "Retry-After: 60", POLICY, "RateLimit: \"p\";r=0;t=60");
    WebTarget target = target(Options.defaults().withMaxWait(Duration.ofSeconds(10)));
    way.response(target.request()).close();

    Throwable thrown = catchThrowable(() -> way.text(target.request()));

    assertThat(cause(thrown))
        .isInstanceOfSatisfying(
            RateLimitWaitException.class,
            e -> {
              assertThat(e.delay()).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
              assertThat(e.reason()).isEqualTo(RateLimitWaitException.Reason.WAIT_TOO_LONG);
              assertThat(e.bucket()).contains("p");
            });
    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aTypedRefusalSurfacesAsTheStandardExceptionWithItsHeaderAndText(Way way) {
    for (int i = 0; i < 2; i++) {
      server.then(429, "no " + i, "Retry-After: 1", "X-Request: " + i);
    }
    WebTarget target = target(Options.defaults().withMaxAttempts(2));

    Throwable thrown = catchThrowable(() -> way.text(target.request()));

    assertThat(thrown)
        .isInstanceOfSatisfying(
            ClientErrorException.class,
            e -> {
              assertThat(e.getResponse().getStatus()).isEqualTo(429);
              assertThat(e.getResponse().getHeaderString("X-Request")).isEqualTo("1");
              assertThat(e.getResponse().readEntity(String.class)).isEqualTo("no 1");
            });
  }

  @ParameterizedTest
  @EnumSource
  void theLastRefusalIsReadableAsAResponse(Way way) {
    server.then(429, "tomorrow", "Retry-After: 86400");

    try (Response response = way.response(target(Options.defaults()).request())) {
      assertThat(response.getStatus()).isEqualTo(429);
      assertThat(response.getHeaderString("Retry-After")).isEqualTo("86400");
      assertThat(response.readEntity(String.class)).isEqualTo("tomorrow");
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendsARefusedPostAgainWithItsEntity(Way way) {
    server.then(429, "", "Retry-After: 1").then(200, "done");

    way.call(
        target(Options.defaults()).request(),
        "POST",
        Entity.text("body"),
        new GenericType<String>() {});

    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("body", "body");
  }

  @ParameterizedTest
  @EnumSource
  void aStreamIsSentOnceAndWholeEvenWhenItHadToWait(Way way) {
    server.then(200, "", POLICY, NOTHING_LEFT).then(429, "", "Retry-After: 1");
    WebTarget target = target(Options.defaults());
    way.response(target.request()).close();

    way.call(
            target.request(),
            "POST",
            Entity.entity(
                new ByteArrayInputStream(new byte[] {'a', 'b'}),
                MediaType.APPLICATION_OCTET_STREAM),
            new GenericType<Response>() {})
        .close();

    assertThat(server.received()).hasSize(2);
    assertThat(server.received().get(1).body()).isEqualTo("ab");
  }

  @ParameterizedTest
  @EnumSource
  void tenRefusalsInARowAreWaitedFor(Way way) {
    for (int i = 0; i < 10; i++) {
      server.then(429, "slow down " + i, "Retry-After: 1");
    }

    assertThat(way.text(target(Options.defaults().withMaxAttempts(11)).request())).isEqualTo("ok");
    assertThat(server.received()).hasSize(11);
  }

  @ParameterizedTest
  @EnumSource
  void credentialsThatAFilterSetsLeadToTheirBucket(Way way) {
    AtomicInteger caller = new AtomicInteger();
    plain.register(
        (ClientRequestFilter)
            request -> request.getHeaders().putSingle("Authorization", "Bearer " + caller));
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(Options.defaults());
    way.response(target.request()).close();

    caller.set(1);
    way.response(target.request()).close();
    Duration ofOther = timeline.waited();
    caller.set(0);
    way.response(target.request()).close();

    assertThat(ofOther).isZero();
    assertThat(timeline.waited()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
    assertThat(server.received()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void aPostWithAnIdempotencyKeyIsSentAgainAfter503WithTheSameKey(Way way) {
    server.then(503, "", "Retry-After: 1").then(200, "done");
    WebTarget target = target(Options.defaults().withIdempotencyHeader("Idempotency-Key"));

    way.call(target.request(), "POST", Entity.text("x"), new GenericType<String>() {});
    way.call(target.request(), "POST", Entity.text("x"), new GenericType<String>() {});

    assertThat(server.received()).hasSize(3);
    assertThat(server.received().get(0).idempotencyKey())
        .hasSize(36)
        .isEqualTo(server.received().get(1).idempotencyKey())
        .isNotEqualTo(server.received().get(2).idempotencyKey());
  }

  @ParameterizedTest
  @EnumSource
  void aBuilderCanBeUsedAgain(Way way) {
    server.then(429, "", "Retry-After: 1").then(200, "one").then(200, "two");
    Invocation.Builder builder = target(Options.defaults()).request().header("X-A", "b");

    assertThat(way.text(builder)).isEqualTo("one");
    assertThat(way.text(builder)).isEqualTo("two");
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatCannotBeReachedIsAProcessingException(Way way) {
    assumeThat(isToldOfFailures(way)).isTrue();
    WebTarget target = target(Options.defaults());
    server.close();

    assertThatThrownBy(() -> way.text(target.request())).isInstanceOf(ProcessingException.class);
  }

  @Test
  void aCallbackIsGivenWhatItsClassSays() throws Exception {
    server.then(429, "", "Retry-After: 1").then(200, "done");
    CompletableFuture<String> told = new CompletableFuture<>();

    Future<String> future =
        target(Options.defaults())
            .request()
            .async()
            .get(
                new InvocationCallback<String>() {
                  @Override
                  public void completed(String response) {
                    told.complete(response);
                  }

                  @Override
                  public void failed(Throwable failure) {
                    told.completeExceptionally(failure);
                  }
                });

    assertThat(told.get(20, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(future.get(20, TimeUnit.SECONDS)).isEqualTo("done");
  }

  @Test
  void aCallbackIsToldOfARefusalAsTheStandardException() {
    server.then(429, "", "Retry-After: 86400");
    CompletableFuture<String> told = new CompletableFuture<>();

    Future<String> future =
        target(Options.defaults())
            .request()
            .async()
            .get(
                new InvocationCallback<String>() {
                  @Override
                  public void completed(String response) {
                    told.complete(response);
                  }

                  @Override
                  public void failed(Throwable failure) {
                    told.completeExceptionally(failure);
                  }
                });

    assertThat(told)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(refusalOfACallback());
    assertThat(future)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(ClientErrorException.class);
  }

  WebTarget target(Options options) {
    return limited(plain, options, timeline).target(server.uri());
  }

  /** Implementations may wrap what a filter throws. */
  static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    while (!(cause instanceof RateLimitWaitException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
