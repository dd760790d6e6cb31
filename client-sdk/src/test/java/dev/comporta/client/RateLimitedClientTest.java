package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.pacing.Pacing;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.ServerErrorException;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.jboss.resteasy.client.jaxrs.internal.ResteasyClientBuilderImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "{0}")
@MethodSource("implementations")
class RateLimitedClientTest {

  private static final String LIST_POLICY = "RateLimit-Policy: \"p\";q=10;w=10";

  private final String implementation;
  private final FakeTimeline timeline = new FakeTimeline();
  private final ScriptedServer server;
  private final Client plain;
  private volatile String caller = "a";

  RateLimitedClientTest(String implementation) throws IOException {
    this.implementation = implementation;
    this.server = new ScriptedServer();
    this.plain = builder().build();
  }

  static Stream<String> implementations() {
    return Stream.of("Jersey", "RESTEasy");
  }

  @AfterEach
  void stop() {
    plain.close();
    server.close();
  }

  @Test
  void waitsAsAskedAndSendsAgain() {
    server.then(429, "slow down", "Retry-After: 3").then(200, "done");

    String text = target(Options.defaults()).request().get(String.class);

    assertThat(text).isEqualTo("done");
    assertThat(server.received()).hasSize(2);
    assertThat(timeline.retryWaits()).hasSize(1);
    assertThat(timeline.retryWaits().get(0))
        .isBetween(Duration.ofMillis(3000), Duration.ofMillis(3300));
  }

  @Test
  void neverWaitsLessThanItsOwnBackoffWhenTheHintIsZero() {
    server.then(429, "", "Retry-After: 0").then(429, "", "Retry-After: 0").then(200, "done");

    target(Options.defaults()).request().get(String.class);

    assertThat(timeline.retryWaits().get(0)).isGreaterThanOrEqualTo(Duration.ofMillis(250));
    assertThat(timeline.retryWaits().get(1)).isGreaterThanOrEqualTo(Duration.ofMillis(500));
  }

  @Test
  void returnsTheRefusalAtOnceWhenItsHintIsLongerThanTheLongestWait() {
    server.then(429, "tomorrow", "Retry-After: 11");

    try (Response response =
        target(Options.defaults().withMaxWait(Duration.ofSeconds(10))).request().get()) {
      assertThat(response.getStatus()).isEqualTo(429);
      assertThat(response.getHeaderString("Retry-After")).isEqualTo("11");
      assertThat(response.readEntity(String.class)).isEqualTo("tomorrow");
    }
    assertThat(server.received()).hasSize(1);
    assertThat(timeline.retryWaits()).isEmpty();
  }

  @Test
  void waitsWhenTheHintIsTheLongestWait() {
    server.then(429, "", "Retry-After: 10").then(200, "done");

    Options options = Options.defaults().withMaxWait(Duration.ofSeconds(10));

    assertThat(target(options).request().get(String.class)).isEqualTo("done");
  }

  @Test
  void sendsNothingWhileTheServerAskedForMoreThanTheLongestWait() {
    server.then(429, "", "Retry-After: 60", LIST_POLICY, "RateLimit: \"p\";r=0;t=60");
    WebTarget target = target(Options.defaults().withMaxWait(Duration.ofSeconds(10)));
    target.request().get().close();

    RateLimitWaitException thrown =
        catchThrowableOfType(RateLimitWaitException.class, () -> target.request().get());

    assertThat(thrown.delay()).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void surfacesTheLastRefusalOfATypedCallWithItsHeaderAndText() {
    for (int i = 0; i < 2; i++) {
      server.then(429, "no " + i, "Retry-After: 1", "X-Request: " + i);
    }
    WebTarget target = target(Options.defaults().withMaxAttempts(2));

    ClientErrorException thrown =
        catchThrowableOfType(ClientErrorException.class, () -> target.request().get(String.class));

    assertThat(thrown.getResponse().getStatus()).isEqualTo(429);
    assertThat(thrown.getResponse().getHeaderString("X-Request")).isEqualTo("1");
    assertThat(thrown.getResponse().readEntity(String.class)).isEqualTo("no 1");
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void lastRefusalOfAnUntypedCallStaysReadable() {
    server.then(429, "one", "Retry-After: 1").then(429, "two", "Retry-After: 1");

    try (Response response = target(Options.defaults().withMaxAttempts(2)).request().get()) {
      assertThat(response.readEntity(String.class)).isEqualTo("two");
    }
  }

  @Test
  void sendsARefusedPostAgainWithItsEntity() {
    server.then(429, "", "Retry-After: 1").then(200, "done");

    target(Options.defaults()).request().post(Entity.text("body"), String.class);

    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("body", "body");
  }

  @Test
  void returnsTheRefusalOfAPostWhoseEntityIsConsumed() {
    server.then(429, "", "Retry-After: 1").then(429, "", "Retry-After: 1");
    WebTarget target = target(Options.defaults());
    Entity<?> stream =
        Entity.entity(new ByteArrayInputStream(new byte[3]), MediaType.APPLICATION_OCTET_STREAM);
    Entity<?> reader = Entity.text(new StringReader("abc"));

    try (Response first = target.path("a").request().post(stream);
        Response second = target.path("b").request().post(reader)) {
      assertThat(first.getStatus()).isEqualTo(429);
      assertThat(second.getStatus()).isEqualTo(429);
    }
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void returnsTheRefusalOfAnEntityThatIsWrittenByTheCaller() {
    server.then(429, "", "Retry-After: 1");
    AtomicInteger written = new AtomicInteger();
    StreamingOutput output =
        out -> {
          written.incrementAndGet();
          out.write('a');
        };

    try (Response response = target(Options.defaults()).request().post(Entity.text(output))) {
      assertThat(response.getStatus()).isEqualTo(429);
    }
    assertThat(written).hasValue(1);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void sendsARepeatableEntityWholeEachTime() {
    server.then(429, "", "Retry-After: 1").then(429, "", "Retry-After: 1");

    target(Options.defaults()).request().post(Entity.text("abc")).close();

    assertThat(server.received()).extracting(received -> received.body()).containsOnly("abc");
    assertThat(server.received()).hasSize(3);
  }

  @Test
  void closesEachOfTenRefusalsBeforeItWaits() {
    for (int i = 0; i < 10; i++) {
      server.then(429, "slow down " + i, "Retry-After: 1");
    }
    AtomicInteger open = new AtomicInteger();
    List<Integer> openAtWait = new ArrayList<>();
    plain.register(
        (ClientResponseFilter)
            (request, response) -> {
              open.incrementAndGet();
              response.setEntityStream(
                  new FilterInputStream(response.getEntityStream()) {
                    private boolean isClosed;

                    @Override
                    public void close() throws IOException {
                      super.close();
                      if (!isClosed) {
                        isClosed = true;
                        open.decrementAndGet();
                      }
                    }
                  });
            });
    Options options =
        Options.defaults()
            .withMaxAttempts(11)
            .withListener((origin, delay) -> openAtWait.add(open.get()));

    String text = target(options).request().get(String.class);

    assertThat(text).isEqualTo("ok");
    assertThat(openAtWait).hasSize(10).containsOnly(0);
  }

  @Test
  void tenRefusalsInARowNeedOneConnection() {
    for (int i = 0; i < 10; i++) {
      server.then(429, "slow down " + i, "Retry-After: 1");
    }
    try (Client single = clientOfOneConnection()) {
      Client client =
          RateLimitedClient.wrap(single, Options.defaults().withMaxAttempts(11), timeline);

      assertThat(client.target(server.uri()).request().get(String.class)).isEqualTo("ok");
    }
    assertThat(server.received())
        .extracting(received -> received.peer())
        .containsOnly(server.received().get(0).peer());
  }

  @Test
  void retriesAnUnavailableServerForIdempotentMethodsOnly() {
    server.then(503, "", "Retry-After: 1").then(200, "done").then(503, "", "Retry-After: 1");
    WebTarget target = target(Options.defaults());

    assertThat(target.request().put(Entity.text("x"), String.class)).isEqualTo("done");
    assertThatThrownBy(() -> target.request().post(Entity.text("x"), String.class))
        .isInstanceOf(ServiceUnavailableException.class);
    assertThat(server.received()).hasSize(3);
  }

  @Test
  void doesNotRetryOtherFailures() {
    server.then(500, "").then(503, "").then(404, "").then(201, "made", "Retry-After: 5");
    WebTarget target = target(Options.defaults());

    assertThatThrownBy(() -> target.request().get(String.class))
        .isInstanceOf(ServerErrorException.class);
    assertThatThrownBy(() -> target.request().get(String.class))
        .isInstanceOf(ServiceUnavailableException.class);
    assertThatThrownBy(() -> target.request().get(String.class))
        .isInstanceOf(NotFoundException.class);
    assertThat(target.request().get(String.class)).isEqualTo("made");
    assertThat(server.received()).hasSize(4);
  }

  @Test
  void holdsARequestBackWhenNothingIsLeft() {
    server.then(200, "one", LIST_POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target = target(Options.defaults());

    target.request().get(String.class);
    Duration before = timeline.paced();
    target.request().get(String.class);

    assertThat(before).isZero();
    assertThat(timeline.paced()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
  }

  @Test
  void sendsAtOnceWhenPacingIsOff() {
    server.then(200, "one", LIST_POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target = target(Options.defaults().withPacing(Pacing.OFF));

    target.request().get(String.class);
    target.request().get(String.class);

    assertThat(timeline.paced()).isZero();
  }

  @Test
  void oneBucketDoesNotHoldBackAnother() {
    server
        .then(200, "", "RateLimit-Policy: \"a\";q=10;w=10", "RateLimit: \"a\";r=5;t=1")
        .then(200, "", "RateLimit-Policy: \"b\";q=10;w=10", "RateLimit: \"b\";r=5;t=1")
        .then(200, "", "RateLimit-Policy: \"a\";q=10;w=10", "RateLimit: \"a\";r=0;t=9");
    WebTarget target = target(Options.defaults());
    target.path("a/1").request().get().close();
    target.path("b/1").request().get().close();
    target.path("a/2").request().get().close();
    Duration before = timeline.paced();

    target.path("b/2").request().get().close();
    Duration afterOther = timeline.paced();
    target.path("a/3").request().get().close();

    assertThat(afterOther.minus(before)).isLessThan(Duration.ofSeconds(2));
    assertThat(timeline.paced().minus(afterOther)).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void oneCredentialDoesNotHoldBackAnother() {
    server.then(200, "", LIST_POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target = target(Options.defaults());
    target.request().header("Authorization", "Bearer a").get().close();

    target.request().header("Authorization", "Bearer b").get().close();
    Duration ofOther = timeline.paced();
    target.request().header("Authorization", "Bearer a").get().close();

    assertThat(ofOther).isZero();
    assertThat(timeline.paced()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void learnsFromAsynchronousCallsOnABuilderThatWasUsedBefore() throws Exception {
    server.then(200, "").then(200, "", LIST_POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target = target(Options.defaults());
    Invocation.Builder builder = target.request();
    builder.get().close();

    builder.async().get().get().close();
    target.request().get().close();

    assertThat(timeline.paced()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void learnsFromSubmittingAnInvocationThatWasInvokedBefore() throws Exception {
    server.then(200, "").then(200, "", LIST_POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target = target(Options.defaults());
    Invocation invocation = target.request().buildGet();
    invocation.invoke().close();

    invocation.submit().get().close();
    target.request().get().close();

    assertThat(timeline.paced()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void credentialsSetByAFilterLeadToOneBucketWhicheverWayTheCallIsMade() throws Exception {
    plain.register(
        (ClientRequestFilter)
            request -> request.getHeaders().putSingle("Authorization", "Bearer " + caller));
    server.then(200, "", LIST_POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target = target(Options.defaults());
    target.request().async().get().get().close();

    caller = "b";
    target.request().get().close();
    Duration ofOther = timeline.paced();
    caller = "a";
    target.request().get().close();

    assertThat(ofOther).isZero();
    assertThat(timeline.paced()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void aCallThatAFilterAnswersTeachesNothing() {
    plain.register(
        (ClientRequestFilter)
            request -> request.abortWith(Response.ok("kept").header("Retry-After", 9).build()));
    WebTarget target = target(Options.defaults());

    assertThat(target.request().get(String.class)).isEqualTo("kept");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void interruptEndsTheWaitBeforeARetry() {
    server.then(429, "", "Retry-After: 3");
    WebTarget target =
        target(
            Options.defaults().withListener((origin, delay) -> Thread.currentThread().interrupt()));

    ProcessingException thrown =
        catchThrowableOfType(ProcessingException.class, () -> target.request().get());

    assertThat(thrown).hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void interruptEndsTheWaitBeforeARequest() {
    server.then(200, "", LIST_POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target =
        target(
            Options.defaults().withListener((origin, delay) -> Thread.currentThread().interrupt()));
    target.request().get().close();

    ProcessingException thrown =
        catchThrowableOfType(ProcessingException.class, () -> target.request().get());

    assertThat(thrown).hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
    assertThat(server.received()).hasSize(1);
  }

  // The connectors that need no remedy: what they send by themselves is what they are told.
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void theDefaultConnectorSendsARefusedRequestOnceByItself(int status) {
    server.then(status, "", "Retry-After: 0");

    plain.target(server.uri()).request().get().close();

    assertThat(server.received()).hasSize(1);
  }

  @Test
  void tellsBeforeALongWait() {
    server.then(429, "", "Retry-After: 3");
    List<String> told = new ArrayList<>();
    WebTarget target =
        target(
            Options.defaults()
                .withListener((origin, delay) -> told.add(origin + " " + delay.toSeconds())));

    target.request().get().close();

    assertThat(told).containsExactly("http://127.0.0.1:" + server.uri().getPort() + " 3");
  }

  @Test
  void everyWayToCallSynchronouslyIsWrapped() {
    WebTarget target = target(Options.defaults());
    Supplier<Invocation.Builder> builder =
        () -> target.request().accept("text/plain").property("a", "b");
    List<Runnable> ways =
        List.of(
            () -> builder.get().get(String.class),
            () -> builder.get().get(new GenericType<String>() {}),
            () -> builder.get().method("GET", String.class),
            () -> builder.get().method("PUT", Entity.text("x"), new GenericType<String>() {}),
            () -> builder.get().buildGet().invoke(String.class),
            () -> builder.get().buildPost(Entity.text("x")).property("c", "d").invoke().close(),
            () -> builder.get().build("DELETE").invoke(new GenericType<String>() {}),
            () -> builder.get().head().close());
    for (Runnable way : ways) {
      server.then(429, "", "Retry-After: 1");
      way.run();
    }

    assertThat(server.received()).hasSize(2 * ways.size());
  }

  @Test
  void keepsNoCredentialInClear() {
    Credentials credentials = Credentials.NONE.with("Authorization", "Bearer secret");

    assertThat(credentials.toString() + credentials.hash()).doesNotContain("secret");
    assertThat(
            Routes.of("GET", URI.create("http://me:secret@a/b?key=secret"), credentials).toString())
        .doesNotContain("secret");
    assertThat(credentials.hash())
        .isNotEqualTo(Credentials.NONE.with("Authorization", "Bearer other").hash())
        .isEqualTo(Credentials.NONE.with("authorization", "Bearer secret").hash());
  }

  private WebTarget target(Options options) {
    return RateLimitedClient.wrap(plain, options, timeline).target(server.uri());
  }

  /** Jersey keeps connections alive by the platform's cache, RESTEasy by a pool. */
  private Client clientOfOneConnection() {
    return implementation.equals("Jersey")
        ? new JerseyClientBuilder().build()
        : new ResteasyClientBuilderImpl()
            .connectionPoolSize(1)
            .connectionCheckoutTimeout(5, TimeUnit.SECONDS)
            .build();
  }

  private ClientBuilder builder() {
    return implementation.equals("Jersey")
        ? new JerseyClientBuilder()
        : new ResteasyClientBuilderImpl();
  }
}
