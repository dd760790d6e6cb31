package dev.comporta.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.comporta.client.RateLimitedClient.Options;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.rest.client.RestClientBuilder;
import org.eclipse.microprofile.rest.client.annotation.ClientHeaderParam;
import org.eclipse.microprofile.rest.client.annotation.RegisterProvider;
import org.eclipse.microprofile.rest.client.ext.ResponseExceptionMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link ProviderContract} says, of the interfaces of MicroProfile Rest Client. */
@Timeout(60)
class RestClientProviderTest {

  private static final String POLICY = "RateLimit-Policy: \"p\";q=10;w=10";
  private static final String NOTHING_LEFT = "RateLimit: \"p\";r=0;t=7";

  private final FakeTimeline timeline = new FakeTimeline();
  private final ScriptedServer server;
  private final List<AutoCloseable> built = new ArrayList<>();
  private final Witness witness = new Witness();

  @Path("/")
  @Produces("text/plain")
  @Consumes("text/plain")
  public interface Api {

    @GET
    @ClientHeaderParam(name = "X-Number", value = "{number}")
    String text();

    @GET
    CompletionStage<String> textLater();

    @POST
    String post(String body);

    @POST
    @Consumes("application/octet-stream")
    Response stream(InputStream body);

    default String number() {
      Witness.NUMBERED.add("number");
      return "1";
    }
  }

  /** As an application has it that leaves building to its container. */
  @RegisterProvider(RateLimitProvider.class)
  public interface RegisteredApi extends Api {}

  /** Writes down what it sees. */
  static final class Witness
      implements ClientRequestFilter, ClientResponseFilter, ResponseExceptionMapper<Exception> {

    static final List<String> NUMBERED = new CopyOnWriteArrayList<>();

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void filter(ClientRequestContext request) {
      seen.add("request");
    }

    @Override
    public void filter(ClientRequestContext request, ClientResponseContext response) {
      seen.add("response " + response.getStatus());
    }

    @Override
    public boolean handles(int status, MultivaluedMap<String, Object> headers) {
      seen.add("mapper " + status);
      return false;
    }

    @Override
    public Exception toThrowable(Response response) {
      throw new AssertionError("it handles nothing");
    }
  }

  RestClientProviderTest() throws IOException {
    server = new ScriptedServer();
    Witness.NUMBERED.clear();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : built) {
      each.close();
    }
    server.close();
  }

  private Api api(Options options) {
    return built(
        RestClientBuilder.newBuilder().register(provider(options)).register(witness), Api.class);
  }

  private RateLimitProvider provider(Options options) {
    return new RateLimitProvider(
        new ProvidedExchange(
            new Exchange(options, new UnhurriedTimeline(timeline), new SplittableRandom(1)),
            new PlainClients(ClientBuilder::newBuilder)));
  }

  private <T extends Api> T built(RestClientBuilder builder, Class<T> type) {
    T api = builder.baseUri(server.uri()).build(type);
    built.add((AutoCloseable) api);
    return api;
  }

  @Test
  void whatTheApplicationHasRegisteredRunsOnceOnTheLastAnswer() {
    server.then(429, "no", "Retry-After: 1").then(429, "no", "Retry-After: 1").then(200, "done");

    assertThat(api(Options.defaults()).text()).isEqualTo("done");

    assertThat(server.received())
        .extracting(received -> received.header("X-number"))
        .containsExactly("1", "1", "1");
    assertThat(Witness.NUMBERED).hasSize(1);
    assertThat(witness.seen).startsWith("request", "response 200").doesNotContain("mapper 429");
    assertThat(witness.seen.stream().filter(seen -> !seen.startsWith("mapper"))).hasSize(2);
    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
  }

  @Test
  void aStageIsRetriedToo() throws Exception {
    server.then(429, "no", "Retry-After: 1").then(200, "done");

    CompletionStage<String> later = api(Options.defaults()).textLater();

    assertThat(later.toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo("done");
  }

  @Test
  void holdsARequestBackWhenNothingIsLeft() {
    server.then(200, "one", POLICY, NOTHING_LEFT);
    Api api = api(Options.defaults());

    api.text();
    api.text();

    assertThat(timeline.waited()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
  }

  @Test
  void aPostIsSentAgainWithItsEntityAndAStreamIsNot() {
    server.then(429, "", "Retry-After: 1").then(200, "done").then(429, "", "Retry-After: 1");
    Api api = api(Options.defaults());

    assertThat(api.post("body")).isEqualTo("done");
    InputStream stream = new ByteArrayInputStream("ab".getBytes(UTF_8));
    Throwable thrown = catchThrowable(() -> api.stream(stream));

    assertThat(thrown).isInstanceOf(ClientErrorException.class);
    assertThat(server.received())
        .extracting(ScriptedServer.Received::body)
        .containsExactly("body", "body", "ab");
  }

  @Test
  void theLastRefusalIsTheStandardExceptionWithItsHeader() {
    server.then(429, "tomorrow", "Retry-After: 86400");

    Throwable thrown = catchThrowable(() -> api(Options.defaults()).text());

    assertThat(thrown)
        .isInstanceOfSatisfying(
            ClientErrorException.class,
            e -> {
              assertThat(e.getResponse().getHeaderString("Retry-After")).isEqualTo("86400");
              assertThat(e.getResponse().readEntity(String.class)).isEqualTo("tomorrow");
            });
  }

  @Test
  void onABuilderThatIsWrappedAsWellOnlyOneActs() {
    for (int i = 0; i < 9; i++) {
      server.then(429, "", "Retry-After: 1");
    }
    Options options = Options.defaults().withMaxAttempts(3);
    RestClientBuilder plain = RestClientBuilder.newBuilder().register(provider(options));

    Api api = built(RateLimitedRestClient.wrap(plain, options, timeline), Api.class);

    assertThat(catchThrowable(api::text)).isInstanceOf(ClientErrorException.class);
    assertThat(server.received()).hasSize(3);
  }

  @Test
  void theAnnotationOfTheInterfaceIsEnough() {
    server.then(429, "", "Retry-After: 0").then(200, "done");

    RegisteredApi api =
        built(RestClientBuilder.newBuilder().register(witness), RegisteredApi.class);

    assertThat(api.text()).isEqualTo("done");
    assertThat(witness.seen).startsWith("request", "response 200");
  }
}
