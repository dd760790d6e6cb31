package dev.comporta.server.contract;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies of every kind, and what their operator does with them. */
public interface PoliciesContract {

  /** Speaks to the application. */
  HttpApi api();

  @Test
  default void aLimitInShadowModeRefusesNothingAndIsNotTold() {
    List<Integer> statuses = api().statuses(5, "policies/watched", "X-User", "watched");
    HttpResponse<String> sixth = api().get("policies/watched", "X-User", "watched");

    assertThat(statuses).containsOnly(200);
    assertThat(sixth.statusCode()).isEqualTo(429);
    assertThat(only(sixth, "RateLimit-Policy")).isEqualTo("\"watched-1h\";q=5;w=3600");
  }

  @ParameterizedTest
  @ValueSource(strings = {"policies/shadow", "policies/off", "policies/probes/live"})
  default void aPolicyThatIsNotEnforcedRefusesNothingAndTellsNothing(String path) {
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> answer = api().get(path);

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-RateLimit-Limit")).isEmpty();
      assertThat(answer.headers().firstValue("RateLimit")).isEmpty();
    }
  }

  @Test
  default void eachTierHasItsOwnLimits() {
    assertThat(api().statuses(3, "policies/tiers", "X-User", "ann")).containsExactly(200, 200, 429);
    assertThat(api().statuses(5, "policies/tiers", "X-User", "gold-ann"))
        .containsExactly(200, 200, 200, 200, 429);
    assertThat(api().statuses(7, "policies/tiers", "X-API-Key", "contract-key"))
        .containsExactly(200, 200, 200, 200, 200, 200, 429);
  }

  @Test
  default void aTruePreflightIsNeverLimitedAndAnyOtherOptionsIs() {
    String[] preflight = {"Origin", "https://app.example", "Access-Control-Request-Method", "GET"};

    for (int i = 0; i < 5; i++) {
      HttpResponse<String> answer = api().send("OPTIONS", "policies/cors", preflight);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-RateLimit-Limit")).isEmpty();
    }
    assertThat(api().send("OPTIONS", "policies/cors").statusCode()).isEqualTo(200);
    assertThat(api().send("OPTIONS", "policies/cors").statusCode()).isEqualTo(200);
    assertThat(api().send("OPTIONS", "policies/cors").statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "month", "segments"})
  default void everyAlgorithmAdmitsItsLimitAndNotMore(String path) {
    HttpResponse<String> first = api().get("policies/" + path, "X-User", "algorithm");

    assertThat(only(first, "X-RateLimit-Remaining")).isEqualTo("2");
    assertThat(api().statuses(4, "policies/" + path, "X-User", "algorithm"))
        .containsExactly(200, 200, 429, 429);
    assertThat(
            Long.parseLong(
                only(api().get("policies/" + path, "X-User", "algorithm"), "Retry-After")))
        .isPositive();
  }

  @Test
  default void aChangedLimitActsAtOnceAndKeepsWhatWasUsed() {
    assertThat(api().statuses(6, "policies/live", "X-User", "live")).containsOnly(200);

    post("change/live/8/1h");
    HttpResponse<String> lowered = api().get("policies/live", "X-User", "live");
    post("change/live/20/2h");
    HttpResponse<String> raised = api().get("policies/live", "X-User", "live");
    post("change/live/5/1h");
    HttpResponse<String> below = api().get("policies/live", "X-User", "live");
    post("revert/live");
    HttpResponse<String> reverted = api().get("policies/live", "X-User", "live");

    assertThat(only(lowered, "X-RateLimit-Limit")).isEqualTo("8");
    assertThat(only(lowered, "X-RateLimit-Remaining")).isEqualTo("1");
    assertThat(only(raised, "X-RateLimit-Remaining")).isEqualTo("12");
    assertThat(below.statusCode()).isEqualTo(429);
    assertThat(reverted.statusCode()).isEqualTo(200);
    assertThat(only(reverted, "X-RateLimit-Limit")).isEqualTo("10");
    assertThat(only(reverted, "X-RateLimit-Remaining")).isEqualTo("1");
  }

  @Test
  default void aWrongChangeIsRefusedAndChangesNothing() {
    assertThat(api().send("POST", "policies/change/live/0/1h").statusCode()).isEqualTo(500);
    assertThat(api().send("POST", "policies/change/unheard-of/5/1h").statusCode()).isEqualTo(500);

    assertThat(only(api().get("policies/live", "X-User", "unchanged"), "X-RateLimit-Limit"))
        .isEqualTo("10");
  }

  @Test
  default void aChangeUnderLoadNeverAdmitsMoreThanTheLargerLimit() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      AtomicBoolean isChanged = new AtomicBoolean();
      Callable<List<Integer>> caller = () -> callThroughTheChanges(isChanged);
      List<Future<List<Integer>>> answers = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        answers.add(threads.submit(caller));
      }
      threads
          .submit(
              () -> {
                for (int permits = 40; permits <= 120; permits += 20) {
                  post("change/loaded/" + permits + "/1d");
                }
              })
          .get();
      isChanged.set(true);
      List<Integer> statuses = new ArrayList<>();
      for (Future<List<Integer>> some : answers) {
        statuses.addAll(some.get());
      }

      assertThat(statuses).containsOnly(200, 429);
      assertThat(Collections.frequency(statuses, 200)).isEqualTo(120);
      assertThat(api().get("policies/loaded", "X-User", "another").statusCode()).isEqualTo(200);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Calls until all is changed, and then as often as the largest limit would admit to all. */
  private List<Integer> callThroughTheChanges(AtomicBoolean isChanged) {
    List<Integer> statuses = new ArrayList<>();
    while (!isChanged.get()) {
      statuses.addAll(api().statuses(5, "policies/loaded", "X-User", "loaded"));
    }
    statuses.addAll(api().statuses(20, "policies/loaded", "X-User", "loaded"));
    return statuses;
  }

  @Test
  default void anOperatorResetsGrantsAndBlocks() {
    assertThat(api().statuses(11, "policies/live", "X-User", "helped")).endsWith(200, 429);

    post("grant/live/helped/2");
    assertThat(api().statuses(3, "policies/live", "X-User", "helped"))
        .containsExactly(200, 200, 429);
    post("reset/helped");
    assertThat(only(api().get("policies/live", "X-User", "helped"), "X-RateLimit-Remaining"))
        .isEqualTo("9");
    post("block/helped");
    HttpResponse<String> blocked = api().get("policies/live", "X-User", "helped");
    String blockedFor = api().get("policies/block/helped").body();
    post("unblock/helped");

    assertThat(Long.parseLong(blockedFor)).isBetween(3_500L, 3_600L);
    assertThat(api().get("policies/block/helped").body()).isEqualTo("not blocked");
    assertThat(blocked.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(only(blocked, "Retry-After"))).isBetween(3_500L, 3_600L);
    assertThat(blocked.headers().firstValue("X-RateLimit-Limit")).isEmpty();
    assertThat(api().get("policies/live", "X-User", "helped").statusCode()).isEqualTo(200);
  }

  @Test
  default void whoIsBlockedByConfigurationIsForbidden() {
    HttpResponse<String> answer = api().get("policies/live", "X-User", "banned");

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).isNotEmpty();
    assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
  }

  @Test
  default void whoIsAllowedByConfigurationIsNeverLimited() {
    assertThat(api().statuses(5, "policies/tiers", "X-User", "friend")).containsOnly(200);
    assertThat(
            api()
                .get("policies/tiers", "X-User", "friend")
                .headers()
                .firstValue("X-RateLimit-Limit"))
        .isEmpty();
  }

  private void post(String path) {
    assertThat(api().send("POST", "policies/" + path).statusCode()).as(path).isEqualTo(200);
  }
}
