package dev.comporta.server.contract;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What requests cost, and which of them are charged. */
public interface ChargesContract {

  /** Speaks to the application. */
  HttpApi api();

  @Test
  default void chargesOnlyFailuresWhereOnlyFailuresAreCharged() {
    List<Integer> statuses = new ArrayList<>();
    for (int status : new int[] {200, 200, 200, 200, 401, 204, 401, 200, 401, 200}) {
      statuses.add(
          api().send("POST", "charges/failures/" + status, "X-User", "login").statusCode());
    }

    assertThat(statuses).containsExactly(200, 200, 200, 200, 401, 204, 401, 200, 401, 429);
  }

  @Test
  default void tellsWhatIsLeftAfterTheOutcomeIsKnown() {
    HttpResponse<String> success = api().send("POST", "charges/failures/200", "X-User", "outcome");
    HttpResponse<String> failure = api().send("POST", "charges/failures/403", "X-User", "outcome");

    assertThat(only(success, "X-RateLimit-Remaining")).isEqualTo("3");
    assertThat(only(failure, "X-RateLimit-Remaining")).isEqualTo("2");
  }

  @Test
  default void chargesOnlySuccessesWhereOnlySuccessesAreCharged() {
    List<Integer> statuses = new ArrayList<>();
    for (int status : new int[] {503, 503, 503, 503, 200, 200, 503, 200, 200}) {
      statuses.add(
          api().send("POST", "charges/successes/" + status, "X-User", "paying").statusCode());
    }

    assertThat(statuses).containsExactly(503, 503, 503, 503, 200, 200, 503, 200, 429);
  }

  @Test
  default void anExceptionThatNothingMapsIsAFailure() {
    for (int i = 0; i < 3; i++) {
      assertThat(api().send("POST", "charges/failures/0", "X-User", "crash").statusCode())
          .isEqualTo(500);
      assertThat(api().send("POST", "charges/successes/0", "X-User", "crash").statusCode())
          .isEqualTo(500);
    }

    assertThat(api().send("POST", "charges/failures/200", "X-User", "crash").statusCode())
        .isEqualTo(429);
    assertThat(
            only(
                api().send("POST", "charges/successes/200", "X-User", "crash"),
                "X-RateLimit-Remaining"))
        .isEqualTo("2");
  }

  @Test
  default void theApplicationSaysWhatAFailureIs() {
    List<Integer> statuses = new ArrayList<>();
    for (int status : new int[] {500, 404, 409, 500, 409, 409, 200}) {
      statuses.add(api().send("POST", "charges/ruled/" + status, "X-User", "ruled").statusCode());
    }

    assertThat(statuses).containsExactly(500, 404, 409, 500, 409, 409, 429);
  }

  @Test
  default void takesTheCostThatTheApplicationComputes() {
    HttpResponse<String> twelve =
        api().get("charges/batch", "X-User", "batch", "X-Batch-Size", "12");
    HttpResponse<String> nine = api().get("charges/batch", "X-User", "batch", "X-Batch-Size", "9");
    HttpResponse<String> eight = api().get("charges/batch", "X-User", "batch", "X-Batch-Size", "8");

    assertThat(only(twelve, "X-RateLimit-Remaining")).isEqualTo("8");
    assertThat(nine.statusCode()).isEqualTo(429);
    assertThat(only(nine, "X-RateLimit-Remaining")).isEqualTo("8");
    assertThat(eight.statusCode()).isEqualTo(200);
  }

  @Test
  default void aCostAboveTheLimitIsRefusedForGood() {
    HttpResponse<String> answer =
        api().get("charges/batch", "X-User", "greedy", "X-Batch-Size", "21");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
    assertThat(only(answer, "X-RateLimit-Remaining")).isEqualTo("20");
  }

  @Test
  default void aCostThatIsNoNumberIsOne() {
    for (String size : new String[] {"-5", "0", "many", "9999999999999999999999", "1e3", " "}) {
      api().get("charges/batch", "X-User", "odd", "X-Batch-Size", size);
    }

    assertThat(only(api().get("charges/batch", "X-User", "odd"), "X-RateLimit-Remaining"))
        .isEqualTo("13");
  }

  @Test
  default void settlesTheDifferenceToWhatWasReserved() {
    HttpResponse<String> more = api().get("charges/tokens", "X-User", "model", "X-Charge", "25");
    HttpResponse<String> less = api().get("charges/tokens", "X-User", "model", "X-Charge", "-7");
    HttpResponse<String> none = api().get("charges/tokens", "X-User", "model", "X-Charge", "-99");

    assertThat(only(more, "X-RateLimit-Remaining")).isEqualTo("65");
    assertThat(only(less, "X-RateLimit-Remaining")).isEqualTo("62");
    assertThat(only(none, "X-RateLimit-Remaining")).isEqualTo("62");
  }

  @Test
  default void aSurchargeIsADebtThatIsPaidBeforeTheNextRequest() {
    HttpResponse<String> beyond = api().get("charges/tokens", "X-User", "debt", "X-Charge", "140");
    HttpResponse<String> refused = api().get("charges/tokens", "X-User", "debt");

    assertThat(beyond.statusCode()).isEqualTo(200);
    assertThat(only(beyond, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(only(refused, "Retry-After"))).isBetween(2_150L, 2_160L);
  }

  @Test
  default void aBulkRequestIsRefusedWhenItsItemsAreMoreThanIsLeft() {
    HttpResponse<String> passed =
        api().get("charges/tokens", "X-User", "bulk", "X-Try-Charge", "60");
    HttpResponse<String> refused =
        api().get("charges/tokens", "X-User", "bulk", "X-Try-Charge", "40");

    assertThat(only(passed, "X-RateLimit-Remaining")).isEqualTo("30");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "X-RateLimit-Remaining")).isEqualTo("20");
    assertThat(Long.parseLong(only(refused, "Retry-After"))).isBetween(710L, 720L);
  }

  @Test
  default void countsForWhomTheApplicationNames() {
    assertThat(api().statuses(3, "charges/tenants", "X-Tenant", "acme"))
        .containsExactly(200, 200, 429);
    assertThat(api().statuses(2, "charges/tenants", "X-Tenant", "acme", "X-User", "ann"))
        .containsOnly(429);
    assertThat(api().statuses(3, "charges/tenants", "X-Tenant", "zebra"))
        .containsExactly(200, 200, 429);
    assertThat(api().statuses(3, "charges/tenants")).containsExactly(200, 200, 429);
  }
}
