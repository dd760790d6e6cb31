package dev.comporta.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.pacing.ManualTimeline;
import dev.comporta.client.pacing.Pacing;
import dev.comporta.client.pacing.Timeline;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.eclipse.microprofile.rest.client.RestClientBuilder;
import org.eclipse.microprofile.rest.client.annotation.ClientHeaderParam;
import org.eclipse.microprofile.rest.client.ext.ResponseExceptionMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link ClientContract} says, of the methods of an interface, and what is theirs alone. */
@Timeout(60)
class RateLimitedRestClientTest {

  private static final String POLICY = "RateLimit-Policy: \"p\";q=10;w=10";
  private static final String NOTHING_LEFT = "RateLimit: \"p\";r=0;t=7";

  private final FakeTimeline timeline = new FakeTimeline();
  private final ScriptedServer server;
  private final RestClientBuilder plain;
  private final List<AutoCloseable> built = new ArrayList<>();

  @Path("/")
  @Produces("text/plain")
  @Consumes("text/plain")
  public interface Api {

    @GET
    String text();

    @GET
    CompletionStage<String> textLater();

    @GET
    Response response();

    @GET
    CompletionStage<Response> responseLater();

    @POST
    String post(String body);

    @POST
    CompletionStage<String> postLater(String body);

    @POST
    @Consumes("application/octet-stream")
    Response stream(InputStream body);

    @POST
    @Consumes("application/octet-stream")
    CompletionStage<Response> streamLater(InputStream body);

    @POST
    @Consumes("multipart/form-data")
    String parts(Parts body);

    @GET
    @ClientHeaderParam(name = "Idempotency-Key", value = "{number}")
    String numbered();

    @GET
    @Path("sold-out")
    String buy() throws SoldOutException;

    default String number() {
      return "number";
    }

    default String twice() {
      return text() + text();
    }

    @Path("orders/{id}")
    Order order(@PathParam("id") String id);
  }

  public interface Order {
    @GET
    String text();
  }

  /** Whether it holds a stream cannot be seen. */
  public record Parts(String text) {}

  static final class PartsWriter implements MessageBodyWriter<Parts> {
    @Override
    public boolean isWriteable(
        Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
      return type == Parts.class;
    }

    @Override
    public void writeTo(
        Parts parts,
        Class<?> type,
        Type generic,
        Annotation[] annotations,
        MediaType media,
        MultivaluedMap<String, Object> headers,
        OutputStream out)
        throws IOException {
      out.write(parts.text().getBytes(UTF_8));
    }
  }

  /** Not of Jakarta REST: made by a mapper, and checked. */
  @SuppressWarnings("serial")
  public static final class SoldOutException extends Exception {
    SoldOutException(String message) {
      super(message);
    }
  }

  static final class SoldOut implements ResponseExceptionMapper<SoldOutException> {
    @Override
    public boolean handles(int status, MultivaluedMap<String, Object> headers) {
      return status == 429;
    }

    @Override
    public SoldOutException toThrowable(Response response) {
      return new SoldOutException(response.readEntity(String.class));
    }
  }

  enum Style {
    SYNC {
      @Override
      String text(Api api) {
        return api.text();
      }

      @Override
      Response response(Api api) {
        return api.response();
      }

      @Override
      String post(Api api, String body) {
        return api.post(body);
      }

      @Override
      Response stream(Api api, InputStream body) {
        return api.stream(body);
      }
    },
    STAGE {
      @Override
      String text(Api api) {
        return awaited(api.textLater());
      }

      @Override
      Response response(Api api) {
        return awaited(api.responseLater());
      }

      @Override
      String post(Api api, String body) {
        return awaited(api.postLater(body));
      }

      @Override
      Response stream(Api api, InputStream body) {
        return awaited(api.streamLater(body));
      }
    };

    abstract String text(Api api);

    abstract Response response(Api api);

    abstract String post(Api api, String body);

    abstract Response stream(Api api, InputStream body);
  }

  RateLimitedRestClientTest() throws IOException {
    server = new ScriptedServer();
    plain = RestClientBuilder.newBuilder().baseUri(server.uri());
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable client : built) {
      client.close();
    }
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void waitsAsAskedAndSendsAgain(Style style) {
    server.then(429, "slow down", "Retry-After: 3").then(200, "done");

    assertThat(style.text(api(Options.defaults()))).isEqualTo("done");

    assertThat(server.received()).hasSize(2);
    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_900));
  }

  @ParameterizedTest
  @EnumSource
  void holdsARequestBackWhenNothingIsLeft(Style style) {
    server.then(200, "one", POLICY, NOTHING_LEFT);
    Api api = api(Options.defaults());

    style.text(api);
    Duration before = timeline.waited();
    style.text(api);

    assertThat(before).isZero();
    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
    assertThat(server.received()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void sendsAtOnceWhenPacingIsOff(Style style) {
    server.then(200, "one", POLICY, NOTHING_LEFT).then(429, "", "Retry-After: 1");
    Api api = api(Options.defaults().withPacing(Pacing.OFF));

    style.text(api);
    style.text(api);

    assertThat(timeline.waited()).isLessThan(Duration.ofSeconds(2));
    assertThat(server.received()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatWouldWaitTooLongIsNotSentAndSaysSo(Style style) {
    server.then(429, "", "Retry-After: 60", POLICY, "RateLimit: \"p\";r=0;t=60");
    Api api = api(Options.defaults().withMaxWait(Duration.ofSeconds(10)));
    Throwable refused = catchThrowable(() -> style.text(api));

    Throwable thrown = catchThrowable(() -> style.text(api));

    assertThat(refused).isInstanceOf(ClientErrorException.class);
    assertThat(thrown).isInstanceOf(ProcessingException.class);
    assertThat(ClientContract.cause(thrown))
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
  void aRefusalSurfacesAsTheStandardExceptionWithItsHeaderAndText(Style style) {
    for (int i = 0; i < 4; i++) {
      server.then(429, "no " + i, "Retry-After: 1", "X-Request: " + i);
    }
    Api api = api(Options.defaults().withMaxAttempts(2));

    for (Function<Api, Object> call :
        List.<Function<Api, Object>>of(style::text, style::response)) {
      Throwable thrown = catchThrowable(() -> call.apply(api));

      assertThat(thrown)
          .isInstanceOfSatisfying(
              ClientErrorException.class,
              e -> {
                String number = String.valueOf(server.received().size() - 1);
                assertThat(e.getResponse().getStatus()).isEqualTo(429);
                assertThat(e.getResponse().getHeaderString("X-Request")).isEqualTo(number);
                assertThat(e.getResponse().readEntity(String.class)).isEqualTo("no " + number);
              });
    }
  }

  @Test
  void theLastRefusalIsReadableAsAResponseWhereNoMapperTakesIt() {
    server.then(429, "soon", "Retry-After: 1").then(429, "tomorrow", "Retry-After: 86400");
    plain.property("microprofile.rest.client.disable.default.mapper", true);

    try (Response response = api(Options.defaults()).response()) {
      assertThat(response.getStatus()).isEqualTo(429);
      assertThat(response.readEntity(String.class)).isEqualTo("tomorrow");
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendsARefusedPostAgainWithItsEntity(Style style) {
    server.then(429, "", "Retry-After: 1").then(200, "done");

    style.post(api(Options.defaults()), "body");

    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("body", "body");
  }

  @ParameterizedTest
  @EnumSource
  void aStreamIsSentOnceAndWholeEvenWhenItHadToWait(Style style) {
    server.then(200, "", POLICY, NOTHING_LEFT).then(429, "", "Retry-After: 1");
    Api api = api(Options.defaults());
    style.response(api).close();

    Throwable thrown =
        catchThrowable(
            () -> style.stream(api, new ByteArrayInputStream(new byte[] {'a', 'b'})).close());

    assertThat(thrown).isInstanceOf(ClientErrorException.class);
    assertThat(server.received()).hasSize(2);
    assertThat(server.received().get(1).body()).isEqualTo("ab");
  }

  @Test
  void partsOfWhichNobodyKnowsAreSentOnce() {
    server.then(429, "", "Retry-After: 1");
    plain.register(new PartsWriter());
    Api api = api(Options.defaults());

    assertThatThrownBy(() -> api.parts(new Parts("whole")))
        .isInstanceOf(ClientErrorException.class);

    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("whole");
  }

  @ParameterizedTest
  @EnumSource
  void tenRefusalsInARowAreWaitedFor(Style style) {
    for (int i = 0; i < 10; i++) {
      server.then(429, "slow down " + i, "Retry-After: 1");
    }

    assertThat(style.text(api(Options.defaults().withMaxAttempts(11)))).isEqualTo("ok");
    assertThat(server.received()).hasSize(11);
  }

  @ParameterizedTest
  @EnumSource
  void credentialsThatAFilterSetsLeadToTheirBucket(Style style) {
    AtomicInteger caller = new AtomicInteger();
    plain.register(
        (ClientRequestFilter)
            request -> request.getHeaders().putSingle("Authorization", "Bearer " + caller));
    server.then(200, "", POLICY, NOTHING_LEFT);
    Api api = api(Options.defaults());
    style.text(api);

    caller.set(1);
    style.text(api);
    Duration ofOther = timeline.waited();
    caller.set(0);
    style.text(api);

    assertThat(ofOther).isZero();
    assertThat(timeline.waited()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
    assertThat(server.received()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void aPostWithAnIdempotencyKeyIsSentAgainAfter503WithTheSameKey(Style style) {
    server.then(503, "", "Retry-After: 1").then(200, "done");
    Api api = api(Options.defaults().withIdempotencyHeader("Idempotency-Key"));

    style.post(api, "x");
    style.post(api, "x");

    assertThat(server.received()).hasSize(3);
    assertThat(server.received().get(0).idempotencyKey())
        .hasSize(36)
        .isEqualTo(server.received().get(1).idempotencyKey())
        .isNotEqualTo(server.received().get(2).idempotencyKey());
  }

  @ParameterizedTest
  @EnumSource
  void aPostIsNotSentAgainAfter503(Style style) {
    server.then(503, "", "Retry-After: 1");
    Api api = api(Options.defaults());

    assertThatThrownBy(() -> style.post(api, "x")).hasMessageContaining("503");

    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatCannotBeReachedIsAProcessingException(Style style) {
    Api api = api(Options.defaults());
    server.close();

    assertThatThrownBy(() -> style.text(api)).isInstanceOf(ProcessingException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aWaitThatOnlyTheTextTellsIsKept(Style style) {
    server
        .then(429, "{\"parameters\":{\"retry_after\":25}}", "Content-Type: application/json")
        .then(429, "{\"parameters\":{\"retry_after\":99}}", "Content-Type: application/json");

    Throwable thrown = catchThrowable(() -> style.text(api(Options.defaults())));

    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(26));
    assertThat(thrown)
        .isInstanceOfSatisfying(
            ClientErrorException.class,
            e -> assertThat(e.getResponse().readEntity(String.class)).contains("99"));
  }

  @Test
  void aMappersCheckedExceptionIsThrownForTheLastRefusalOnly() {
    server.then(429, "soon", "Retry-After: 1").then(429, "sold out", "Retry-After: 86400");
    plain.register(new SoldOut());

    assertThatThrownBy(() -> api(Options.defaults()).buy())
        .isInstanceOf(SoldOutException.class)
        .hasMessage("sold out");
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void headersThatTheInterfaceNamesAreOnEachSending() {
    server.then(429, "", "Retry-After: 1");

    api(Options.defaults()).numbered();

    assertThat(server.received())
        .extracting(ScriptedServer.Received::idempotencyKey)
        .containsExactly("number", "number");
  }

  @Test
  void requestsOfADefaultMethodAndOfASubResourceAreRetriedToo() {
    server.then(429, "", "Retry-After: 1").then(200, "a").then(200, "b");
    Api api = api(Options.defaults());

    assertThat(api.twice()).isEqualTo("ab");
    server.then(429, "", "Retry-After: 1").then(200, "c");
    assertThat(api.order("7").text()).isEqualTo("c");
    assertThat(server.received())
        .extracting(ScriptedServer.Received::path)
        .endsWith("/orders/7", "/orders/7");
  }

  @Test
  void aRequestThatAFilterMakesForItselfHasItsOwnRetries() {
    server
        .then(429, "", "Retry-After: 1")
        .then(200, "token")
        .then(429, "", "Retry-After: 1")
        .then(200, "token")
        .then(200, "done");
    Api tokens = api(Options.defaults());
    List<String> given = new ArrayList<>();
    Api orders =
        built(
            RateLimitedRestClient.wrap(
                RestClientBuilder.newBuilder()
                    .baseUri(server.uri())
                    .register((ClientRequestFilter) request -> given.add(tokens.text())),
                Options.defaults(),
                timeline));

    assertThat(orders.text()).isEqualTo("done");
    assertThat(given).containsExactly("token", "token");
    assertThat(server.received()).hasSize(5);
  }

  @Test
  void interruptEndsAWaitKeepsTheFlagAndSendsNothing() {
    server.then(200, "", POLICY, NOTHING_LEFT);
    Api api =
        api(Options.defaults().withListener((origin, delay) -> Thread.currentThread().interrupt()));
    api.text();

    Throwable thrown = catchThrowable(api::text);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(thrown)
        .isInstanceOf(ProcessingException.class)
        .hasRootCauseInstanceOf(InterruptedException.class);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void cancelEndsAWaitAtOnceAndSendsNothing() throws Exception {
    ManualTimeline manual = new ManualTimeline();
    List<CallEvent> events = new ArrayList<>();
    CompletableFuture<CallEvent> waiting = new CompletableFuture<>();
    server.then(429, "", "Retry-After: 3");
    Api api =
        api(
            Options.defaults()
                .withCallListener(
                    event -> {
                      events.add(event);
                      if (event instanceof CallEvent.Waiting) {
                        waiting.complete(event);
                      }
                    }),
            manual);
    CompletableFuture<String> call = api.textLater().toCompletableFuture();
    waiting.get(20, TimeUnit.SECONDS);

    manual.advance(100_000);
    call.cancel(true);
    manual.advance(60_000_000);
    awaited(api.textLater());

    assertThat(call).isCancelled();
    assertThat(server.received()).hasSize(2);
    assertThat(events).extracting(CallEvent::origin).containsOnly(origin());
  }

  @Test
  void aThousandWaitingCallsHoldNoThread() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    ThreadPoolExecutor threads = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);
    Api api =
        built(
            RateLimitedRestClient.wrap(plain, Options.defaults(), new ManualTimeline())
                .executorService(threads));
    api.text();

    List<CompletionStage<String>> calls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      calls.add(api.textLater());
    }

    // Two threads would be held by two calls: all thousand have been through them.
    while (threads.getCompletedTaskCount() < 1_000) {
      Thread.onSpinWait();
    }
    assertThat(threads.getActiveCount()).isZero();
    assertThat(calls).noneMatch(call -> call.toCompletableFuture().isDone());
    assertThat(server.received()).hasSize(1);
    calls.forEach(call -> call.toCompletableFuture().cancel(true));
    threads.shutdown();
  }

  @Test
  void anExecutorThatIsGivenSends() throws Exception {
    server.then(429, "", "Retry-After: 1");
    ThreadPoolExecutor threads = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
    Api api =
        built(
            RateLimitedRestClient.wrap(plain, Options.defaults(), timeline)
                .executorService(threads));

    assertThat(awaited(api.textLater())).isEqualTo("ok");

    threads.shutdown();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(threads.getCompletedTaskCount()).isEqualTo(2);
  }

  @Test
  void aBuilderThatIsWrappedAlreadyIsNotWrappedAgain() {
    RestClientBuilder wrapped = RateLimitedRestClient.wrap(plain);

    assertThatThrownBy(() -> RateLimitedRestClient.wrap(wrapped))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("wrapped already");
  }

  @Test
  void whatIsBuiltIsClosedLikeAnyOther() throws Exception {
    Api api = api(Options.defaults());

    ((AutoCloseable) api).close();

    assertThatThrownBy(api::text).isInstanceOf(IllegalStateException.class);
  }

  private String origin() {
    return Routes.origin(server.uri());
  }

  private Api api(Options options) {
    return api(options, timeline);
  }

  private Api api(Options options, Timeline given) {
    return built(RateLimitedRestClient.wrap(plain, options, given));
  }

  private Api built(RestClientBuilder wrapped) {
    Api api = wrapped.build(Api.class);
    built.add((AutoCloseable) api);
    return api;
  }

  private static <T> T awaited(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(failed);
    } catch (InterruptedException | TimeoutException stuck) {
      throw new AssertionError(stuck);
    }
  }
}
