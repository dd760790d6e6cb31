package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.retry.Attempt;
import dev.comporta.client.retry.Course;
import dev.comporta.client.retry.RetryBudget;
import dev.comporta.client.retry.RetryEngine;
import dev.comporta.client.retry.RetryRules;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.GenericEntity;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.jboss.resteasy.client.jaxrs.internal.ResteasyClientBuilderImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of faults that were reported of other clients. */
@ParameterizedClass(name = "{0}")
@MethodSource("implementations")
class FaultsOfOthersTest {

  private static final String POLICY = "RateLimit-Policy: \"p\";q=10;w=10";

  private final String implementation;
  private final FakeTimeline timeline = new FakeTimeline();
  private final ScriptedServer server;
  private final Client plain;

  FaultsOfOthersTest(String implementation) throws IOException {
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

  // C01, C16: 9223372037 s do not fit in nanoseconds, 2^31 ms not in an int
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Retry-After: 2147483648",
        "Retry-After: 9223372037",
        "Retry-After: 99999999999999999999999999",
        "Retry-After-Ms: 2147483648",
        "Retry-After-Ms: 9223372036854775808",
      })
  void hintThatOverflowsATimerEndsTheCallAndIsNoReasonToSendAtOnce(String header) {
    server.then(429, "", header);

    try (Response response =
        target(Options.defaults().withMaxWait(Duration.ofDays(1))).request().get()) {
      assertThat(response.getStatus()).isEqualTo(429);
    }
    assertThat(server.received()).hasSize(1);
    assertThat(timeline.retryWaits()).isEmpty();
  }

  // C02, C13
  @ParameterizedTest
  @ValueSource(strings = {"0", "0.0", "-1", "Thu, 01 Jan 1970 00:00:00 GMT"})
  void hintOfNoWaitNeitherUndercutsNorResetsTheBackoff(String hint) {
    for (int i = 0; i < 6; i++) {
      server.then(429, "", "Retry-After: " + hint);
    }

    target(Options.defaults().withMaxAttempts(6)).request().get().close();

    assertThat(timeline.retryWaits()).hasSize(5);
    for (int i = 0; i < 5; i++) {
      assertThat(timeline.retryWaits().get(i))
          .isBetween(Duration.ofMillis(250L << i), Duration.ofMillis(500L << i));
    }
  }

  // C06
  @ParameterizedTest
  @ValueSource(ints = {59, 60, 61, 119})
  void hintIsKeptWhateverItsLengthUpToTheLongestWait(int seconds) {
    server.then(429, "", "Retry-After: " + seconds).then(200, "done");

    target(Options.defaults().withMaxWait(Duration.ofMinutes(2))).request().get(String.class);

    assertThat(timeline.retryWaits()).hasSize(1);
    assertThat(timeline.retryWaits().get(0))
        .isBetween(Duration.ofSeconds(seconds), Duration.ofSeconds(seconds + 1));
  }

  // C07: a quota of days
  @Test
  void quotaThatEndedForDaysSurfacesAtOnceWithItsTime() {
    server.then(429, "", "Retry-After: 198300");
    WebTarget target = target(Options.defaults());

    try (Response response = target.request().get()) {
      assertThat(response.getHeaderString("Retry-After")).isEqualTo("198300");
    }
    assertThatThrownBy(() -> target.request().get())
        .satisfies(
            thrown ->
                assertThat(ClientContract.cause(thrown))
                    .isInstanceOfSatisfying(
                        RateLimitWaitException.class,
                        e ->
                            assertThat(e.delay())
                                .isBetween(
                                    Duration.ofSeconds(198_299), Duration.ofSeconds(198_302))));
    assertThat(timeline.waited()).isZero();
    assertThat(server.received()).hasSize(1);
  }

  // C09, C10, C11: read where it is meant, and never the end of the call
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.493 | 493",
        "1m0s | 60000",
        "soon | 250",
        "Mon, 30 Nov 99999 12:01:00 GMT | 250",
        "1e3 | 250",
      })
  void hintThatIsNoNumberOfSecondsIsReadOrPassedOver(String hint, long millis) {
    server.then(429, "", "Retry-After: " + hint).then(200, "done");

    String text =
        target(Options.defaults().withMaxWait(Duration.ofMinutes(2))).request().get(String.class);

    assertThat(text).isEqualTo("done");
    assertThat(timeline.retryWaits()).hasSize(1);
    assertThat(timeline.retryWaits().get(0))
        .isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis + 1_250));
  }

  // C20
  @ParameterizedTest
  @ValueSource(longs = {-31_536_000, -3_600, -30, 0, 30, 3_600, 31_536_000})
  void wrongLocalClockChangesNoWait(long skewSeconds) {
    Instant local = Instant.parse("2026-11-30T12:00:00Z").plusSeconds(skewSeconds);
    List<String> date = List.of("Mon, 30 Nov 2026 12:00:00 GMT");

    RateLimitSnapshot epoch =
        HeaderReader.read(
            429,
            Map.of(
                "Date", date,
                "X-RateLimit-Limit", List.of("60"),
                "X-RateLimit-Remaining", List.of("0"),
                "X-RateLimit-Reset", List.of("1796040030")),
            local);
    RateLimitSnapshot httpDate =
        HeaderReader.read(
            429,
            Map.of("Date", date, "Retry-After", List.of("Mon, 30 Nov 2026 12:00:30 GMT")),
            local);

    assertThat(epoch.waitHint()).contains(Duration.ofSeconds(30));
    assertThat(httpDate.waitHint()).contains(Duration.ofSeconds(30));
  }

  // C21: a span and an instant in the same field, from two servers
  @Test
  void oneReaderTellsTheSpanOfOneServerFromTheInstantOfAnother() {
    Instant now = Instant.ofEpochSecond(1_796_040_000);

    assertThat(exhausted("598", now).waitHint()).contains(Duration.ofSeconds(598));
    assertThat(exhausted("1796040598", now).waitHint()).contains(Duration.ofSeconds(598));
  }

  // C29
  @Test
  void refusalThatNamesAnotherBucketHoldsBackByThatOne() {
    server
        .then(200, "", "RateLimit-Policy: \"a\";q=50000;w=60", "RateLimit: \"a\";r=48773;t=60")
        .then(429, "", "RateLimit-Policy: \"b\";q=5;w=10", "RateLimit: \"b\";r=0;t=7");
    WebTarget target = target(Options.defaults().withMaxAttempts(1));
    target.request().get().close();
    target.request().get().close();
    Duration before = timeline.paced();

    target.request().get().close();

    assertThat(timeline.paced().minus(before))
        .isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
  }

  // C32: no Retry-After, but a reset later than the longest wait
  @Test
  void resetLaterThanTheLongestWaitSurfacesTheRefusal() {
    server.then(429, "", POLICY, "RateLimit: \"p\";r=0;t=31");

    try (Response response = target(Options.defaults()).request().get()) {
      assertThat(response.getStatus()).isEqualTo(429);
    }
    assertThat(server.received()).hasSize(1);
    assertThat(timeline.retryWaits()).isEmpty();
  }

  // C34, C41
  @Test
  void abandonedWaitsTakeNoPlaceFromLaterCalls() {
    AtomicBoolean isImpatient = new AtomicBoolean(true);
    server.then(200, "", POLICY, "RateLimit: \"p\";r=0;t=7");
    WebTarget target =
        target(
            Options.defaults()
                .withListener(
                    (origin, delay) -> {
                      if (isImpatient.get()) {
                        Thread.currentThread().interrupt();
                      }
                    }));
    target.request().get().close();

    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> target.request().get())
          .isInstanceOf(ProcessingException.class)
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).as("interrupt flag of call %d", i).isTrue();
    }
    int afterAbandoned = server.received().size();
    isImpatient.set(false);
    target.request().get().close();

    assertThat(afterAbandoned).isEqualTo(1);
    assertThat(server.received()).hasSize(2);
    assertThat(timeline.paced()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
  }

  // C39
  @Test
  void callThatWaitsHoldsNothingThatOthersNeed() {
    server
        .then(200, "", POLICY, "RateLimit: \"p\";r=9;t=10")
        .then(200, "", "RateLimit-Policy: \"b\";q=10;w=10", "RateLimit: \"b\";r=9;t=1")
        .then(200, "", POLICY, "RateLimit: \"p\";r=0;t=7");
    AtomicInteger duringWait = new AtomicInteger();
    Client[] wrapped = new Client[1];
    wrapped[0] =
        RateLimitedClient.wrap(
            plain,
            Options.defaults()
                .withListener(
                    (origin, delay) -> duringWait.set(sentByAnotherThread(wrapped[0], "b"))),
            timeline);
    for (String path : List.of("a", "b", "a")) {
      wrapped[0].target(server.uri()).path(path).request().get().close();
    }

    wrapped[0].target(server.uri()).path("a").request().get().close();

    assertThat(duringWait.get()).isEqualTo(200);
  }

  // C45, C46
  @Test
  void everyAnswerChangesThePaceAlsoWhereNothingIsRetried() {
    server
        .then(200, "", "RateLimit-Policy: \"p\";q=100;w=60", "RateLimit: \"p\";r=99;t=60")
        .then(429, "", "RateLimit-Policy: \"p\";q=10;w=60", "RateLimit: \"p\";r=0;t=9")
        .then(200, "", "RateLimit-Policy: \"p\";q=10;w=60", "RateLimit: \"p\";r=9;t=9");
    WebTarget target = target(Options.defaults().withMaxAttempts(1));
    target.request().get().close();
    target.request().get().close();
    Duration before = timeline.paced();

    target.request().get().close();

    assertThat(before).isLessThan(Duration.ofSeconds(1));
    assertThat(timeline.paced().minus(before))
        .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
    assertThat(server.received()).hasSize(3);
  }

  static Stream<Object> consumedBySending() {
    byte[] bytes = "body".getBytes(StandardCharsets.UTF_8);
    StreamingOutput output = out -> out.write(bytes);
    return Stream.of(
        new ByteArrayInputStream(bytes),
        new StringReader("body"),
        output,
        new GenericEntity<InputStream>(new ByteArrayInputStream(bytes)) {});
  }

  // C48
  @ParameterizedTest
  @MethodSource("consumedBySending")
  void whatIsConsumedBySendingIsSentOnceAndWhole(Object content) {
    server.then(429, "", "Retry-After: 1");

    try (Response response =
        target(Options.defaults()).request().post(Entity.entity(content, MediaType.TEXT_PLAIN))) {
      assertThat(response.getStatus()).isEqualTo(429);
    }
    assertThat(server.received()).extracting(ScriptedServer.Received::body).containsExactly("body");
  }

  // C49: a gateway that gave up does not mean that nothing was done
  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 504})
  void failureThatMayHaveBeenProcessedIsNotSentAgain(int status) {
    WebTarget target = target(Options.defaults());

    for (String method : List.of("GET", "PUT", "POST", "DELETE")) {
      server.then(status, "", "Retry-After: 1");
      Invocation.Builder request = target.request();
      (method.startsWith("P") ? request.method(method, Entity.text("x")) : request.method(method))
          .close();
    }

    assertThat(server.received())
        .extracting(ScriptedServer.Received::method)
        .containsExactly("GET", "PUT", "POST", "DELETE");
  }

  // C49: time-outs
  @Test
  void callThatGotNoAnswerIsNotSentAgain() {
    AtomicInteger sendings = new AtomicInteger();
    ProcessingException timeout = new ProcessingException("timed out");
    RetryEngine engine =
        new RetryEngine(
            new RetryRules(4, Duration.ofSeconds(30)),
            RetryBudget.defaults(),
            new SplittableRandom(1),
            timeline::nowMicros);

    assertThatThrownBy(
            () ->
                engine.execute(
                    new Attempt.Call("GET", true, false),
                    number -> {
                      sendings.incrementAndGet();
                      throw timeout;
                    },
                    Course.UNWATCHED))
        .isSameAs(timeout);

    assertThat(sendings).hasValue(1);
  }

  // C51
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 7})
  void serverThatAlwaysRefusesGetsAsManyRequestsAsAllowedAndNoMore(int maxAttempts) {
    for (int i = 0; i < 20; i++) {
      server.then(429, "", "Retry-After: 1");
    }

    target(Options.defaults().withMaxAttempts(maxAttempts)).request().get().close();

    assertThat(server.received()).hasSize(maxAttempts);
  }

  // C54: the connection of a refusal is free before the wait, whether its text is read or not
  @ParameterizedTest
  @ValueSource(ints = {0, 10, 2_048, 2_049, 100_000})
  void refusalIsClosedBeforeTheWait(int length) {
    List<Integer> waitsAtClose = waitsAtClose();
    server
        .then(429, "x".repeat(length), "Retry-After: 1")
        .then(429, "x".repeat(length), "Retry-After: 1");

    target(Options.defaults()).request().get(String.class);

    assertThat(waitsAtClose).contains(0, 1);
  }

  // C55, C56
  @ParameterizedTest
  @ValueSource(ints = {429, 500, 404})
  void answerThatBecomesAnExceptionHoldsNoConnection(int status) {
    List<Integer> waitsAtClose = waitsAtClose();
    server.then(status, "x".repeat(100_000));

    assertThatThrownBy(
            () -> target(Options.defaults().withMaxAttempts(1)).request().get(String.class))
        .isInstanceOf(WebApplicationException.class);

    assertThat(waitsAtClose).isNotEmpty();
  }

  // C58
  @Test
  void sameInvocationSendsItsWholeEntityEachTime() {
    server.then(429, "", "Retry-After: 1").then(200, "one").then(429, "", "Retry-After: 1");
    Invocation invocation = target(Options.defaults()).request().buildPost(Entity.text("body"));

    invocation.invoke().close();
    invocation.invoke(String.class);

    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("body", "body", "body", "body");
  }

  // C05, C32: what surfaces still tells when to come back
  @Test
  void surfacedRefusalTellsItsHint() {
    server.then(429, "", "Retry-After: 198300");

    ClientErrorException thrown =
        catchThrowableOfType(
            ClientErrorException.class,
            () -> target(Options.defaults()).request().get(String.class));

    assertThat(thrown.getResponse().getHeaderString("Retry-After")).isEqualTo("198300");
    assertThat(timeline.retryWaits()).isEmpty();
  }

  private List<Integer> waitsAtClose() {
    List<Integer> waitsAtClose = new CopyOnWriteArrayList<>();
    ClientResponseFilter filter =
        (request, response) ->
            response.setEntityStream(
                new FilterInputStream(response.getEntityStream()) {
                  @Override
                  public void close() throws IOException {
                    waitsAtClose.add(timeline.retryWaits().size());
                    super.close();
                  }
                });
    plain.register(filter);
    return waitsAtClose;
  }

  private int sentByAnotherThread(Client client, String path) {
    return CompletableFuture.supplyAsync(
            () -> {
              try (Response response = client.target(server.uri()).path(path).request().get()) {
                return response.getStatus();
              }
            })
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  private static RateLimitSnapshot exhausted(String reset, Instant now) {
    return HeaderReader.read(
        429,
        Map.of(
            "X-RateLimit-Limit", List.of("60"),
            "X-RateLimit-Remaining", List.of("0"),
            "X-RateLimit-Reset", List.of(reset)),
        now);
  }

  // C23
  @Test
  void refusalWithQuotaLeftDoesNotWaitForTheEndOfThatQuota() {
    server
        .then(
            429,
            "secondary",
            "X-RateLimit-Limit: 15000",
            "X-RateLimit-Remaining: 14463",
            "X-RateLimit-Reset: 3600")
        .then(200, "done");

    assertThat(target(Options.defaults()).request().get(String.class)).isEqualTo("done");
    assertThat(timeline.retryWaits()).hasSize(1);
    assertThat(timeline.paced()).isLessThan(Duration.ofSeconds(2));
  }

  // C23
  @Test
  void refusalWithQuotaLeftHoldsTheNextCallBackForAMomentOnly() {
    server.then(
        429, "", "X-RateLimit-Limit: 60", "X-RateLimit-Remaining: 50", "X-RateLimit-Reset: 25");
    WebTarget target = target(Options.defaults().withMaxAttempts(1));

    target.request().get().close();
    target.request().get().close();

    assertThat(timeline.paced()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  // C51
  @Test
  void clientThatIsWrappedAlreadyIsNotWrappedAgain() {
    Client once = RateLimitedClient.wrap(plain, Options.defaults(), timeline);

    assertThatThrownBy(() -> RateLimitedClient.wrap(once))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("wrapped already");
  }

  // C45: told without a name, so that the old limit and the new one have nothing in common
  @Test
  void limitThatIsRaisedWhileRunningHoldsBackNoLonger() {
    server.then(
        200, "", "RateLimit-Limit: 10, 10;w=60", "RateLimit-Remaining: 9", "RateLimit-Reset: 60");
    for (int i = 0; i < 20; i++) {
      server.then(
          200,
          "",
          "RateLimit-Limit: 100, 100;w=60",
          "RateLimit-Remaining: " + (98 - i),
          "RateLimit-Reset: 60");
    }
    WebTarget target = target(Options.defaults());

    for (int i = 0; i < 21; i++) {
      target.request().get().close();
    }

    assertThat(server.received()).hasSize(21);
    assertThat(timeline.paced()).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void lastOneOfASmallQuotaIsSpentAtOnce() {
    server.then(200, "", "RateLimit-Policy: \"p\";q=2;w=60", "RateLimit: \"p\";r=1;t=30");
    WebTarget target = target(Options.defaults());

    target.request().get().close();
    target.request().get().close();

    assertThat(server.received()).hasSize(2);
    assertThat(timeline.paced()).isLessThan(Duration.ofSeconds(1));
  }

  private WebTarget target(Options options) {
    return RateLimitedClient.wrap(plain, options, timeline).target(server.uri());
  }

  private ClientBuilder builder() {
    return implementation.equals("Jersey")
        ? new JerseyClientBuilder()
        : new ResteasyClientBuilderImpl();
  }
}
