package dev.comporta.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.comporta.client.RateLimitedClient.Options;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same where a provider makes the client obey limits, and what is the provider's alone. */
abstract class ProviderContract extends ClientContract {

  private static final String POLICY = "RateLimit-Policy: \"p\";q=10;w=10";
  private static final String NOTHING_LEFT = "RateLimit: \"p\";r=0;t=7";

  private final UnhurriedTimeline unhurried = new UnhurriedTimeline(timeline);

  /** A builder of the implementation, new. */
  abstract ClientBuilder newBuilder();

  @Override
  Client newClient() {
    return newBuilder().build();
  }

  @Override
  Client limited(Client client, Options options, FakeTimeline time) {
    return client.register(provider(options));
  }

  private RateLimitProvider provider(Options options) {
    return new RateLimitProvider(
        new ProvidedExchange(
            new Exchange(options, unhurried, new SplittableRandom(1)),
            new PlainClients(this::newBuilder)));
  }

  /** All that an application may register, which writes down what it sees. */
  private static final class Witness
      implements ClientRequestFilter, ClientResponseFilter, ReaderInterceptor, WriterInterceptor {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void filter(ClientRequestContext request) {
      seen.add("request");
    }

    @Override
    public void filter(ClientRequestContext request, ClientResponseContext response) {
      seen.add("response " + response.getStatus() + " " + response.getHeaderString("X-Answer"));
    }

    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
      seen.add("read");
      return context.proceed();
    }

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
      seen.add("write");
      context.proceed();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheApplicationHasRegisteredRunsOnceOnTheLastAnswer(Way way) {
    Witness witness = new Witness();
    plain.register(witness);
    server
        .then(429, "no", "Retry-After: 1", "X-Answer: 1")
        .then(429, "no", "Retry-After: 1", "X-Answer: 2")
        .then(200, "done", "X-Answer: 3");

    String text =
        way.call(
            target(Options.defaults()).request(),
            "POST",
            Entity.text("body"),
            new GenericType<String>() {});

    assertThat(text).isEqualTo("done");
    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("body", "body", "body");
    assertThat(witness.seen).containsExactly("request", "write", "response 200 3", "read");
  }

  /** Zips what is written. */
  private static final class Zipping implements WriterInterceptor {
    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
      context.getHeaders().putSingle("Content-Encoding", "gzip");
      GZIPOutputStream zip = new GZIPOutputStream(context.getOutputStream());
      context.setOutputStream(zip);
      context.proceed();
      zip.finish();
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendsAgainTheBytesThatAnInterceptorHasMade(Way way) {
    plain.register(new Zipping());
    server.then(429, "", "Retry-After: 1").then(200, "done");

    way.call(
        target(Options.defaults()).request().header("X-A", "1").header("X-A", "2"),
        "PUT",
        Entity.entity("body", new MediaType("text", "plain", "utf-8")),
        new GenericType<String>() {});

    assertThat(server.received()).hasSize(2);
    assertThat(server.received())
        .allSatisfy(
            received -> {
              assertThat(received.method()).isEqualTo("PUT");
              assertThat(received.body()).isEqualTo("body");
              assertThat(received.header("Content-encoding")).isEqualTo("gzip");
              assertThat(received.header("Content-type")).isEqualTo("text/plain;charset=utf-8");
              assertThat(String.join(",", received.headers().get("X-a"))).isEqualTo("1,2");
            });
  }

  @Test
  void anEntityAboveTheBoundIsSentOnceAndOneAtTheBoundAgain() {
    server.then(429, "", "Retry-After: 1").then(200, "").then(429, "", "Retry-After: 1");
    Client client = limited(plain, Options.defaults(), timeline);

    for (int length : List.of(WrittenEntity.LARGEST, WrittenEntity.LARGEST + 1)) {
      client.target(server.uri()).request().put(Entity.text("x".repeat(length))).close();
    }

    assertThat(server.received())
        .extracting(received -> received.body().length())
        .containsExactly(WrittenEntity.LARGEST, WrittenEntity.LARGEST, WrittenEntity.LARGEST + 1);
  }

  @Test
  void aPostIsNotSentAgainAfter503WithoutAKey() {
    server.then(503, "", "Retry-After: 1");

    try (Response response =
        target(Options.defaults()).request().post(Entity.entity("x".getBytes(UTF_8), "a/b"))) {
      assertThat(response.getStatus()).isEqualTo(503);
    }
    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void onAClientThatIsWrappedAsWellOnlyOneActs(Way way) {
    for (int i = 0; i < 9; i++) {
      server.then(429, "", "Retry-After: 1");
    }
    Options options = Options.defaults().withMaxAttempts(3);
    Client both = RateLimitedClient.wrap(plain.register(provider(options)), options, timeline);

    way.response(both.target(server.uri()).request()).close();

    assertThat(server.received()).hasSize(3);
  }

  @Test
  void registeredByItsClassItSendsAgain() {
    server.then(429, "", "Retry-After: 0").then(200, "done");
    plain.register(RateLimitProvider.class);

    assertThat(plain.target(server.uri()).request().get(String.class)).isEqualTo("done");
  }

  @ParameterizedTest
  @EnumSource
  void longRefusalsLeaveNoConnectionOpen(Way way) {
    WebTarget target = target(Options.defaults());

    for (int i = 0; i < 60; i++) {
      server.then(429, "x".repeat(100_000), "Retry-After: 1").then(200, "done " + i);
      assertThat(way.text(target.request())).isEqualTo("done " + i);
    }
  }

  @Test
  void anInterruptEndsAWaitAndNothingIsSent() {
    server.then(200, "", POLICY, NOTHING_LEFT);
    WebTarget target = target(Options.defaults());
    target.request().get().close();

    Thread.currentThread().interrupt();
    Throwable thrown = catchThrowable(() -> target.request().get());
    boolean isStillInterrupted = Thread.interrupted();

    assertThat(thrown).isInstanceOf(ProcessingException.class);
    assertThat(thrown).hasRootCauseInstanceOf(InterruptedException.class);
    assertThat(isStillInterrupted).isTrue();
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void aClientThatIsGivenSendsAgain() {
    List<String> again = new CopyOnWriteArrayList<>();
    Client given =
        newClient().register((ClientRequestFilter) request -> again.add(request.getMethod()));
    server.then(429, "", "Retry-After: 0").then(200, "done");
    plain.register(new RateLimitProvider(Options.defaults(), given));

    assertThat(plain.target(server.uri()).request().get(String.class)).isEqualTo("done");
    assertThat(again).containsExactly("GET");
    given.close();
  }

  @Test
  void aRequestThatFailedIsUnderWayNoMoreWhenItsTimeIsOver() throws IOException {
    server.then(429, "", "Retry-After: 1", "RateLimit-Policy: \"p\";q=100;w=10");
    Client client = limited(plain, Options.defaults().withMaxAttempts(1), timeline);
    String address = server.uri().toString();
    client.target(address).request().get().close();
    server.close();
    for (int i = 0; i < 2; i++) {
      assertThat(catchThrowable(() -> client.target(address).request().get())).isNotNull();
    }

    assertThat(unhurried.pending()).isEqualTo(2);
    unhurried.runPending();
    long before = timeline.nowMicros();
    Throwable thrown = catchThrowable(() -> client.target(address).request().get());

    assertThat(cause(thrown)).isNotInstanceOf(RateLimitWaitException.class);
    assertThat(timeline.nowMicros() - before).isLessThan(1_000_000);
  }
}
