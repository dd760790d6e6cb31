package dev.comporta.server.contract;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a caller sees of {@link ContractApplication}, on whatever server it runs, with the settings
 * as they are by default. Each test spends from a policy of its own, or as a user of its own; the
 * windows are so long that no time needs to pass, and none to stand still. Every test can be run
 * once in the life of an application.
 */
public abstract class RateLimitContract
    implements ChargesContract, PoliciesContract, BodiesContract {

  private static final String[] LEGACY = {
    "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"
  };
  private static final String[] ALL = {
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "RateLimit-Policy",
    "RateLimit"
  };

  private HttpApi api;

  /** Where the resources are; ends with a slash. */
  protected abstract URI baseUri();

  /** Whether the server runs response filters after an exception that nothing maps. */
  protected abstract boolean tellsAfterUnmappedExceptions();

  @BeforeEach
  void findApi() {
    api = new HttpApi(baseUri());
  }

  @Override
  public HttpApi api() {
    return api;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ok",
        "empty",
        "not-found",
        "forbidden",
        "mapped/409",
        "mapped/500",
        "mapped/503",
        "numbers/7",
        "numbers/seven",
        "query?number=seven",
        "async"
      })
  void tellsEachHeaderOnceOnEveryAnswer(String path) {
    assertTellsOnce(api.get("answers/" + path, "X-User", "headers"));
  }

  @Test
  void anExceptionThatNothingMapsCountsAndIsToldWhereTheServerLetsIt() {
    HttpResponse<String> answer = api.get("answers/unmapped", "X-User", "unmapped");

    assertThat(answer.statusCode()).isEqualTo(500);
    if (tellsAfterUnmappedExceptions()) {
      assertTellsOnce(answer);
    } else {
      assertTellsNothing(answer);
    }
    assertThat(only(api.get("answers/ok", "X-User", "unmapped"), "X-RateLimit-Remaining"))
        .isEqualTo("998");
  }

  @Test
  void tellsEachHeaderOnceOnCreated() {
    HttpResponse<String> answer = api.send("POST", "answers/created", "X-User", "headers");

    assertThat(answer.statusCode()).isEqualTo(201);
    assertTellsOnce(answer);
  }

  @Test
  void replacesHeadersOfTheSameNamesThatTheResourceSets() {
    HttpResponse<String> answer = api.get("answers/own-headers", "X-User", "headers");

    assertTellsOnce(answer);
    assertThat(only(answer, "X-RateLimit-Limit")).isEqualTo("1000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exempt", "unlimited", "health/live", "overridden/exempt"})
  void tellsNothingAndRefusesNobodyWhereThereIsNoLimit(String path) {
    assertThat(api.statuses(30, path)).containsOnly(200);
    assertTellsNothing(api.get(path));
  }

  @Test
  void tellsNothingWhereNoResourceMatches() {
    HttpResponse<String> answer = api.get("nowhere");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertTellsNothing(answer);
  }

  @Test
  void countsFromTheFirstRequestOn() {
    HttpResponse<String> first = api.get("answers/ok", "X-User", "first");

    assertThat(only(first, "X-RateLimit-Limit")).isEqualTo("1000");
    assertThat(only(first, "X-RateLimit-Remaining")).isEqualTo("999");
    assertThat(only(first, "RateLimit-Policy")).isEqualTo("\"answers-1h\";q=1000;w=3600");
    assertThat(only(first, "RateLimit")).matches("\"answers-1h\";r=999;t=4");
    assertThat(Long.parseLong(only(first, "X-RateLimit-Reset")))
        .isBetween(Instant.now().getEpochSecond() - 60, Instant.now().getEpochSecond() + 60);
  }

  @Test
  void refusesTheHundredAndFirst() {
    assertThat(api.statuses(100, "limits/hundred")).containsOnly(200);

    HttpResponse<String> refused = api.get("limits/hundred");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertTellsOnce(refused);
    assertThat(only(refused, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(Long.parseLong(only(refused, "Retry-After"))).isBetween(1L, 864L);
    assertThat(only(refused, "Cache-Control")).contains("no-store");
    assertThat(only(refused, "RateLimit"))
        .isEqualTo("\"hundred-1d\";r=0;t=" + only(refused, "Retry-After"));
  }

  @Test
  void explainsARefusalInJson() {
    assertThat(api.send("POST", "limits/one").statusCode()).isEqualTo(200);

    HttpResponse<String> refused = api.send("POST", "limits/one", "Accept", "text/html");

    String seconds = only(refused, "Retry-After");
    assertThat(only(refused, "Content-Type")).startsWith("application/json");
    assertThat(refused.body())
        .isEqualTo(
            "{\"error\":\"Too Many Requests\",\"message\":\"Too many requests. Try again in "
                + seconds
                + " seconds.\",\"retryAfter\":"
                + seconds
                + ",\"policy\":\"one-1h\"}");
  }

  @Test
  void countsHeadAsItsGet() {
    assertThat(api.send("HEAD", "limits/three").statusCode()).isEqualTo(200);
    assertThat(only(api.send("HEAD", "limits/three"), "X-RateLimit-Remaining")).isEqualTo("1");
    assertThat(api.send("HEAD", "limits/three").statusCode()).isEqualTo(200);

    assertThat(api.send("HEAD", "limits/three").statusCode()).isEqualTo(429);
    assertThat(api.get("limits/three").statusCode()).isEqualTo(429);
  }

  @Test
  void doesNotCountOptionsThatTheServerAnswers() {
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> answer = api.send("OPTIONS", "limits/three", "X-User", "options");
      assertThat(answer.statusCode()).isBetween(200, 204);
      assertTellsNothing(answer);
    }

    assertThat(only(api.get("limits/three", "X-User", "options"), "X-RateLimit-Remaining"))
        .isEqualTo("2");
  }

  @Test
  void countsARequestOnceWhereClassAndMethodAreAnnotated() {
    HttpResponse<String> own = api.get("overridden/own");
    HttpResponse<String> inherited = api.get("overridden/inherited");

    assertTellsOnce(own);
    assertThat(only(own, "X-RateLimit-Limit")).isEqualTo("5");
    assertThat(only(own, "X-RateLimit-Remaining")).isEqualTo("4");
    assertThat(only(inherited, "X-RateLimit-Remaining")).isEqualTo("9");
  }

  @Test
  void takesTheLimitsOfTheClassWhereTheMethodStatesItsCostAlone() {
    HttpResponse<String> answer = api.get("overridden/cost", "X-User", "cost");

    assertThat(only(answer, "X-RateLimit-Limit")).isEqualTo("10");
    assertThat(only(answer, "X-RateLimit-Remaining")).isEqualTo("6");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "interface-method",
        "interface-type",
        "superclass",
        "overridden-method",
        "composed",
        "composed-class",
        "locator/method",
        "locator/class",
        "locator/interface"
      })
  void limitsWhereverTheAnnotationStands(String path) {
    HttpResponse<String> first = api.get("declared/" + path);

    assertThat(first.statusCode()).isEqualTo(200);
    assertTellsOnce(first);
    assertThat(only(first, "X-RateLimit-Remaining")).isEqualTo("2");
    assertThat(api.statuses(3, "declared/" + path)).containsExactly(200, 200, 429);
    assertTellsOnce(api.get("declared/" + path));
  }

  @Test
  void sharesTheQuotaOfOnePolicyAmongItsMethods() {
    assertThat(api.statuses(3, "limits/shared")).containsOnly(200);

    assertThat(api.statuses(2, "limits/shared-too")).containsExactly(200, 429);
  }

  @Test
  void takesTheCostAndNothingWhenRefused() {
    assertThat(api.statuses(2, "limits/report")).containsOnly(200);

    HttpResponse<String> refused = api.get("limits/report");
    HttpResponse<String> cheap = api.get("limits/report-page");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "X-RateLimit-Remaining")).isEqualTo("5");
    assertThat(cheap.statusCode()).isEqualTo(200);
    assertThat(only(cheap, "X-RateLimit-Remaining")).isEqualTo("4");
  }

  @Test
  void tellsAllLimitsAndTheBindingOneInTheLegacyHeaders() {
    HttpResponse<String> first = api.get("limits/several", "X-User", "several");

    assertThat(only(first, "RateLimit-Policy"))
        .isEqualTo("\"several-1h\";q=20;w=3600, \"several-1d\";q=3;w=86400");
    assertThat(only(first, "RateLimit"))
        .isEqualTo("\"several-1h\";r=19;t=180, \"several-1d\";r=2;t=28800");
    assertThat(only(first, "X-RateLimit-Limit")).isEqualTo("3");
    assertThat(only(first, "X-RateLimit-Remaining")).isEqualTo("2");
  }

  @Test
  void chargesNoLimitWhenOneRefuses() {
    assertThat(api.statuses(3, "limits/several", "X-User", "atomic")).containsOnly(200);
    assertThat(api.statuses(20, "limits/several", "X-User", "atomic")).containsOnly(429);

    HttpResponse<String> refused = api.get("limits/several", "X-User", "atomic");

    assertThat(only(refused, "RateLimit")).startsWith("\"several-1h\";r=17;t=");
  }

  @Test
  void aRefusedCallerTakesNothingFromTheOthers() {
    assertThat(api.statuses(20, "limits/everyone", "X-User", "greedy"))
        .startsWith(200, 200)
        .endsWith(429)
        .filteredOn(status -> status == 200)
        .hasSize(2);

    assertThat(api.statuses(2, "limits/everyone", "X-User", "modest")).containsOnly(200);
    HttpResponse<String> last = api.get("limits/everyone", "X-User", "third");
    HttpResponse<String> refused = api.get("limits/everyone", "X-User", "fourth");

    assertThat(last.statusCode()).isEqualTo(200);
    assertThat(only(last, "RateLimit")).doesNotContain("everyone-1h-everyone");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "X-RateLimit-Limit")).isEqualTo("5");
    assertThat(only(refused, "RateLimit")).contains("\"everyone-1h-everyone\";r=0;t=");
  }

  @Test
  void tellsALimitForEveryoneOnlyWhenItRefuses() {
    assertTellsNothing(api.get("limits/everyone-alone", "X-User", "one"));
    assertTellsNothing(api.get("limits/everyone-alone", "X-User", "two"));

    HttpResponse<String> refused = api.get("limits/everyone-alone", "X-User", "three");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertTellsOnce(refused);
  }

  @Test
  void givesEachUserAQuotaOfItsOwn() {
    assertThat(api.statuses(3, "callers/users", "X-User", "ann")).containsExactly(200, 200, 429);
    assertThat(api.statuses(3, "callers/users", "X-User", "bob")).containsExactly(200, 200, 429);
    assertThat(api.statuses(3, "callers/users")).containsExactly(200, 200, 429);
  }

  @Test
  void aUserWhoIsCalledLikeAnAddressIsNotThatAddress() {
    assertThat(api.get("callers/users", "X-User", "127.0.0.1").statusCode()).isEqualTo(200);
    assertThat(only(api.get("callers/users", "X-User", "::1"), "X-RateLimit-Remaining"))
        .isEqualTo("1");
  }

  @Test
  void inventedApiKeysShareOneQuota() {
    List<Integer> statuses =
        IntStream.range(0, 300)
            .mapToObj(i -> api.get("callers/keys", "X-API-Key", "invented-" + i).statusCode())
            .toList();

    assertThat(Collections.frequency(statuses, 200)).isEqualTo(5);
    assertThat(Collections.frequency(statuses, 429)).isEqualTo(295);
  }

  @Test
  void inventedAddressesShareOneQuota() {
    List<Integer> statuses =
        IntStream.range(0, 300)
            .mapToObj(
                i ->
                    api.get(
                            "callers/addresses",
                            "X-Forwarded-For",
                            "10.1." + i / 250 + "." + i % 250,
                            "Forwarded",
                            "for=10.2.0." + i % 250)
                        .statusCode())
            .toList();

    assertThat(Collections.frequency(statuses, 200)).isEqualTo(5);
    assertThat(Collections.frequency(statuses, 429)).isEqualTo(295);
  }

  @Test
  void countsFailingLoginsByAddress() {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      HttpResponse<String> answer = api.send("POST", "callers/login", "X-User", "nobody");
      assertTellsOnce(answer);
      statuses.add(answer.statusCode());
    }

    assertThat(statuses).containsExactly(401, 401, 401, 429);
    assertThat(api.send("POST", "callers/login", "X-User", "ann").statusCode()).isEqualTo(429);
  }

  @Test
  void failsTheRequestWhenItsCallerCannotBeIdentified() {
    assertThat(api.get("callers/broken", BrokenCaller.HEADER, "yes").statusCode()).isEqualTo(500);
    assertThat(api.get("callers/broken").statusCode()).isEqualTo(200);
  }

  @Test
  void exposesItsHeadersToAPageOfAnotherOrigin() {
    HttpResponse<String> answer =
        api.get("answers/ok", "X-User", "page", "Origin", "https://app.example");

    List<String> exposed = List.of(only(answer, "Access-Control-Expose-Headers").split(", ", -1));
    assertThat(exposed)
        .containsExactly(
            "ETag",
            "x-ratelimit-limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit-Policy",
            "RateLimit");
  }

  @Test
  void exposesRetryAfterWhenItRefuses() {
    api.statuses(2, "callers/users", "X-User", "exposed");

    HttpResponse<String> refused =
        api.get("callers/users", "X-User", "exposed", "Origin", "https://app.example");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "Access-Control-Expose-Headers")).contains("Retry-After");
  }

  @Test
  void exposesNothingToWhoDoesNotAsk() {
    assertThat(
            api.get("answers/ok", "X-User", "page")
                .headers()
                .allValues("Access-Control-Expose-Headers"))
        .isEmpty();
  }

  @Test
  void askingForQuotasSpendsNothing() {
    api.get("quotas/spend", "X-User", "asking");
    for (int i = 0; i < 20; i++) {
      assertTellsNothing(api.get("quotas", "X-User", "asking"));
    }

    List<String> quotas = api.get("quotas", "X-User", "asking").body().lines().toList();

    assertThat(quotas)
        .contains("asked asked-1h 7 8 PT1H", "asked asked-1d 79 80 PT24H")
        .contains("shared shared-1h 4 4 PT1H", "everyone everyone-1h 2 2 PT1H")
        .noneMatch(quota -> quota.contains("-everyone "))
        .isSortedAccordingTo(
            (one, other) -> one.split(" ", 2)[0].compareTo(other.split(" ", 2)[0]));
  }

  @Test
  void aLimitedResourceCanAskForQuotasToo() {
    HttpResponse<String> answer = api.get("quotas/limited", "X-User", "limited");

    assertThat(answer.body().lines()).contains("asking asking-1h 8 9 PT1H");
    assertTellsOnce(answer);
  }

  @Test
  void admitsExactlyTheLimitHoweverManyAskAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      Callable<List<Integer>> caller = () -> api.statuses(20, "limits/race");
      List<Integer> statuses = new ArrayList<>();
      for (Future<List<Integer>> answers : threads.invokeAll(Collections.nCopies(16, caller))) {
        statuses.addAll(answers.get());
      }

      assertThat(Collections.frequency(statuses, 200)).isEqualTo(100);
      assertThat(Collections.frequency(statuses, 429)).isEqualTo(220);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void assertTellsOnce(HttpResponse<String> answer) {
    for (String name : ALL) {
      assertThat(only(answer, name)).isNotEmpty();
    }
    for (String name : LEGACY) {
      assertThat(only(answer, name)).matches("[0-9]+");
    }
  }

  private static void assertTellsNothing(HttpResponse<String> answer) {
    assertThat(answer.headers().map().keySet())
        .noneMatch(name -> name.toLowerCase(Locale.ROOT).contains("ratelimit"));
  }
}
