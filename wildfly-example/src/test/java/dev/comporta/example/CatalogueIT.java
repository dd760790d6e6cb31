package dev.comporta.example;

import static dev.comporta.example.Answers.RATE_LIMIT_HEADERS;
import static dev.comporta.example.Answers.array;
import static dev.comporta.example.Answers.count;
import static dev.comporta.example.Answers.header;
import static dev.comporta.example.Answers.object;
import static dev.comporta.example.Answers.rateLimitHeaders;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example's limits, as callers on the other side of the wire meet them. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class CatalogueIT {

  private static final String KEY = "X-API-Key";

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  URL root;

  private HttpApi api;

  @Deployment
  static WebArchive example() {
    return ExampleArchive.withKeys(
        "it-burst", "it-burst-2", "it-headers", "it-exempt", "it-limits", "it-reports", "it-tier");
  }

  @BeforeEach
  void speakToTheExample() throws URISyntaxException {
    api = new HttpApi(root.toURI());
  }

  @Test
  void answersOneHundredSearchesAndRefusesOneMore() {
    List<HttpResponse<String>> answers =
        QuickRequests.withinOneMinute(
            key -> api.getMany(101, "api/books?q=e%C3%A7a", KEY, key), "it-burst", "it-burst-2");

    assertThat(count(200, answers)).isEqualTo(100);
    assertThat(count(429, answers)).isEqualTo(1);
    HttpResponse<String> refusal = answers.get(100);
    assertThat(refusal.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(header(refusal, "Retry-After"))).isPositive();
    assertThat(header(refusal, "X-RateLimit-Limit")).isEqualTo("100");
    assertThat(header(refusal, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(header(refusal, "Content-Type")).startsWith("application/json");
    JsonObject body = object(refusal);
    assertThat(body.getString("error")).isEqualTo("Too Many Requests");
    assertThat(body.getString("message")).isNotBlank();
    assertThat(body.getJsonNumber("retryAfter").longValue())
        .isEqualTo(Long.parseLong(header(refusal, "Retry-After")));
  }

  @ParameterizedTest
  @CsvSource({
    "200, api/books?q=pessoa",
    "200, api/books/os-maias",
    "404, api/books/unknown",
    "200, api/reports/1888",
    "400, api/reports/last-year",
    "503, api/reports/1755"
  })
  void tellsEachLimitOnceWhateverTheAnswer(int status, String path) {
    HttpResponse<String> answer = api.get(path, KEY, "it-headers");

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(rateLimitHeaders(answer)).containsExactlyElementsOf(RATE_LIMIT_HEADERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"api/status", "api/health"})
  void neitherLimitsNorCountsTheMonitors(String path) {
    List<HttpResponse<String>> answers = api.getMany(120, path, KEY, "it-exempt");

    assertThat(count(200, answers)).isEqualTo(120);
    assertThat(answers).allSatisfy(answer -> assertThat(rateLimitHeaders(answer)).isEmpty());
    assertThat(array(api.get("api/limits", KEY, "it-exempt")).getValuesAs(JsonObject.class))
        .filteredOn(gate -> !gate.getString("policy").equals("login"))
        .hasSize(5)
        .allSatisfy(gate -> assertThat(gate.getInt("remaining")).isEqualTo(gate.getInt("limit")));
  }

  @Test
  void limitsTellsWhereACallerStandsAndSpendsNothing() {
    HttpResponse<String> search = api.get("api/books", KEY, "it-limits");
    List<HttpResponse<String>> answers = api.getMany(150, "api/limits", KEY, "it-limits");

    assertThat(header(search, "X-RateLimit-Remaining")).isEqualTo("99");
    assertThat(count(200, answers)).isEqualTo(150);
    List<JsonObject> gates = array(answers.get(149)).getValuesAs(JsonObject.class);
    assertThat(gates)
        .extracting(gate -> gate.getString("policy"))
        .containsExactly("book", "book", "login", "reports", "reports", "search");
    assertThat(gates.get(5).getInt("remaining")).isEqualTo(99);
    assertThat(gates.get(5).getInt("limit")).isEqualTo(100);
    assertThat(gates.get(5).getInt("windowMillis")).isEqualTo(60_000);
  }

  @Test
  void inventedKeysAndForgedAddressesShareTheQuotaOfTheirAddress() {
    QuickRequests requests =
        QuickRequests.of(
            () ->
                IntStream.range(0, 300)
                    .boxed()
                    .flatMap(
                        i ->
                            Stream.of(
                                api.get("api/books", KEY, "invented-" + i),
                                api.get("api/books", "X-Forwarded-For", "203.0.113." + i % 250)))
                    .toList());

    assertThat(requests.count(200)).isBetween(99L, requests.mostAdmitted(100));
    assertThat(requests.count(200) + requests.count(429)).isEqualTo(600);
  }

  @Test
  void configurationGivesThePremiumTierMore() {
    List<HttpResponse<String>> premium = api.getMany(101, "api/books", KEY, "demo-premium");
    HttpResponse<String> free = api.get("api/books", KEY, "it-tier");

    assertThat(count(200, premium)).isEqualTo(101);
    assertThat(header(premium.get(0), "X-RateLimit-Limit")).isEqualTo("1000");
    assertThat(header(premium.get(0), "X-RateLimit-Remaining")).isEqualTo("999");
    assertThat(header(free, "X-RateLimit-Limit")).isEqualTo("100");
  }

  @Test
  void fiveFailedLoginsFromOneAddressAreEnoughAndSuccessesAreFree() {
    List<HttpResponse<String>> right =
        IntStream.range(0, 6).mapToObj(i -> api.post("api/login", login("ana", "sluice"))).toList();
    List<HttpResponse<String>> failed =
        IntStream.range(0, 5)
            .mapToObj(i -> api.post("api/login", login("user-" + i, "guess")))
            .toList();
    HttpResponse<String> refused = api.post("api/login", login("ana", "sluice"));

    assertThat(right).allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(200));
    assertThat(header(right.get(5), "X-RateLimit-Remaining")).isEqualTo("5");
    assertThat(failed).allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(401));
    assertThat(failed)
        .allSatisfy(
            answer ->
                assertThat(rateLimitHeaders(answer)).containsExactlyElementsOf(RATE_LIMIT_HEADERS));
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(header(refused, "Retry-After"))).isBetween(1L, 900L);
  }

  @Test
  void aReportCostsTenPermits() {
    HttpResponse<String> first = api.get("api/reports/1888", KEY, "it-reports");
    QuickRequests more =
        QuickRequests.of(() -> api.getMany(10, "api/reports/1888", KEY, "it-reports"));

    assertThat(header(first, "X-RateLimit-Limit")).isEqualTo("100");
    assertThat(header(first, "X-RateLimit-Remaining")).isEqualTo("90");
    long broughtBack = more.took().plusSeconds(1).toSeconds() / 6;
    assertThat(more.count(200)).isBetween(9L, 9 + broughtBack);
    assertThat(more.count(200) + more.count(429)).isEqualTo(10);
  }

  @Test
  void aReportIsToldOfItsMinuteAndOfItsDayAndABookOfWhatIsEnforced() {
    HttpResponse<String> report = api.get("api/reports/1888", KEY, "it-headers");
    HttpResponse<String> book = api.get("api/books/os-maias", KEY, "it-headers");

    assertThat(header(report, "RateLimit-Policy"))
        .startsWith("\"reports-1m\";q=100;w=60, \"reports-day\";q=2000;w=");
    assertThat(header(book, "RateLimit-Policy"))
        .isEqualTo("\"book-1s\";q=10;w=1, \"book-1m\";q=300;w=60");
  }

  @Test
  void theServerIsReadyAndTellsHowItsLimitsAre() {
    URI management = URI.create("http://127.0.0.1:" + System.getProperty("it.management.port"));
    HttpResponse<String> ready = new HttpApi(management).get("/health/ready");

    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(object(ready).getJsonArray("checks").getValuesAs(JsonObject.class))
        .filteredOn(check -> check.getString("name").equals("comporta"))
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.getString("status")).isEqualTo("UP");
              assertThat(check.getJsonObject("data").getString("CatalogueApplication.condition"))
                  .isEqualTo("working");
            });
  }

  @Test
  void servesThePageAtTheRoot() {
    HttpResponse<String> page = api.get("");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("A book catalogue");
  }

  private static String login(String user, String password) {
    return "{\"user\":\"%s\",\"password\":\"%s\"}".formatted(user, password);
  }
}
