package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.pacing.ManualTimeline;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.client.WebTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.jboss.resteasy.client.jaxrs.internal.ResteasyClientBuilderImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that wait without a thread. */
@ParameterizedClass
@MethodSource("implementations")
@Timeout(60)
class AsyncWaitTest {

  private static final String POLICY = "RateLimit-Policy: \"p\";q=10;w=10";
  private static final String NOTHING_LEFT = "RateLimit: \"p\";r=0;t=7";

  private final ManualTimeline timeline = new ManualTimeline();
  private final BlockingQueue<CallEvent> events = new LinkedBlockingQueue<>();
  private final Options options = Options.defaults().withCallListener(events::add);
  private final ScriptedServer server;
  private final Client plain;

  AsyncWaitTest(ClientBuilder builder) throws IOException {
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
  void aThousandWaitingCallsHoldNoThread() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(options);
    target.request().get().close();
    List<Future<String>> ten = started(target, 10);
    int threadsOfTen = Thread.activeCount();

    List<Future<String>> thousand = started(target, 1_000);
    int threadsOfThousand = Thread.activeCount();

    assertThat(threadsOfThousand).isLessThanOrEqualTo(threadsOfTen);
    assertThat(server.received()).hasSize(1);
    Stream.of(ten, thousand).flatMap(List::stream).forEach(call -> call.cancel(true));
  }

  @Test
  void waitingCallsLeaveInTheOrderOfComing() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(options.withMaxWait(Duration.ofMinutes(5)));
    target.request().get().close();
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      calls.add(target.path("call" + i).request().async().get(String.class));
    }

    for (Future<String> call : calls) {
      timeline.advance(9_000_000);
      call.get(20, TimeUnit.SECONDS);
    }

    assertThat(server.received())
        .extracting(ScriptedServer.Received::path)
        .endsWith("/call0", "/call1", "/call2", "/call3", "/call4");
  }

  @Test
  void cancelEndsAWaitBeforeARequestAtOnceAndSendsNothing() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(options);
    target.request().get().close();
    Future<String> given = target.path("given").request().async().get(String.class);
    Future<String> next = target.path("next").request().async().get(String.class);

    timeline.advance(100_000);
    boolean isCancelled = given.cancel(true);
    int pending = timeline.pending();
    timeline.advance(9_000_000);
    next.get(20, TimeUnit.SECONDS);

    assertThat(isCancelled).isTrue();
    assertThat(pending).as("timers").isLessThanOrEqualTo(1);
    assertThat(given.isCancelled()).isTrue();
    assertThat(server.received())
        .extracting(ScriptedServer.Received::path)
        .containsExactly("/", "/next");
  }

  @Test
  void cancelEndsAWaitBeforeARetryAtOnceAndSendsNothing() throws Exception {
    server.then(429, "", "Retry-After: 3");
    WebTarget target = target(options);
    CompletableFuture<String> call = target.request().rx().get(String.class).toCompletableFuture();
    awaitWaiting(CallEvent.Cause.RETRY);

    timeline.advance(100_000);
    call.cancel(false);
    timeline.advance(60_000_000);
    target.path("after").request().async().get(String.class).get(20, TimeUnit.SECONDS);

    assertThat(call).isCancelled();
    assertThat(server.received())
        .extracting(ScriptedServer.Received::path)
        .containsExactly("/", "/after");
  }

  @Test
  void aCallbackIsToldOfTheCancel() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(options);
    target.request().get().close();
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    Future<String> call =
        target
            .request()
            .async()
            .get(
                new InvocationCallback<String>() {
                  @Override
                  public void completed(String response) {
                    told.complete(new AssertionError(response));
                  }

                  @Override
                  public void failed(Throwable failure) {
                    told.complete(failure);
                  }
                });

    call.cancel(true);

    assertThat(told.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
  }

  @Test
  void oneCallMoreThanMayWaitIsNotSentAndSaysHowLongTheFirstWaits() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(options.withMaxWaiting(3));
    target.request().get().close();
    List<Future<String>> waiting = started(target, 3);

    Future<String> more = target.request().async().get(String.class);

    assertThat(more)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            RateLimitWaitException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(RateLimitWaitException.Reason.QUEUE_FULL);
              assertThat(e.delay()).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(8));
              assertThat(e.bucket()).contains("p");
            });
    assertThat(events).anyMatch(CallEvent.NotSent.class::isInstance);
    waiting.forEach(call -> call.cancel(true));
  }

  @Test
  void aSynchronousCallAlsoFindsTheQueueFull() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(options.withMaxWaiting(3));
    target.request().get().close();
    List<Future<String>> waiting = started(target, 3);

    RateLimitWaitException thrown =
        catchThrowableOfType(
            RateLimitWaitException.class, () -> target.request().get(String.class));

    assertThat(thrown.reason()).isEqualTo(RateLimitWaitException.Reason.QUEUE_FULL);
    waiting.forEach(call -> call.cancel(true));
  }

  @Test
  void aListenerOfWaitsThatThrowsEndsTheCall() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target =
        target(
            options.withListener(
                (origin, delay) -> {
                  throw new IllegalStateException("the listener's");
                }));
    target.request().get().close();

    assertThat(target.request().async().get(String.class))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(IllegalStateException.class);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void anExecutorThatTakesNoTaskEndsEachCallThatWaits() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(options);
    target.request().get().close();
    List<Future<String>> waiting = started(target, 3);

    timeline.reject();
    timeline.advance(9_000_000);

    for (Future<String> call : waiting) {
      assertThat(call)
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(RejectedExecutionException.class);
    }
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void anExecutorThatTakesNoTaskEndsACallBeforeItsRetry() throws Exception {
    server.then(429, "", "Retry-After: 3");
    Future<String> call = target(options).request().async().get(String.class);
    awaitWaiting(CallEvent.Cause.RETRY);

    timeline.reject();
    while (!call.isDone()) {
      // Its wait may begin after it was told.
      timeline.advance(9_000_000);
      Thread.onSpinWait();
    }

    assertThat(call)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RejectedExecutionException.class);
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aCallListenerThatFailsWithAnErrorStillEndsACallThatIsNotSent() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target =
        target(
            options
                .withMaxWait(Duration.ofSeconds(1))
                .withCallListener(
                    event -> {
                      throw new LinkageError("the listener's");
                    }));
    target.request().get().close();

    assertThat(target.request().async().get(String.class))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RateLimitWaitException.class);
  }

  @Test
  void aCallListenerThatThrowsChangesNothing() throws Exception {
    server.then(200, "", POLICY, NOTHING_LEFT);
    CountDownLatch told = new CountDownLatch(1);
    WebTarget target =
        target(
            options.withCallListener(
                event -> {
                  told.countDown();
                  throw new IllegalStateException("the listener's");
                }));
    target.request().get().close();

    Future<String> call = target.request().async().get(String.class);
    told.await();
    timeline.advance(9_000_000);

    assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo("ok");
  }

  private WebTarget target(Options given) {
    return RateLimitedClient.wrap(plain, given, timeline).target(server.uri());
  }

  private static List<Future<String>> started(WebTarget target, int count) {
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(target.request().async().get(String.class));
    }
    return calls;
  }

  private void awaitWaiting(CallEvent.Cause cause) throws InterruptedException {
    while (!(events.take() instanceof CallEvent.Waiting waiting && waiting.cause() == cause)) {
      // Others are told first.
    }
  }
}
