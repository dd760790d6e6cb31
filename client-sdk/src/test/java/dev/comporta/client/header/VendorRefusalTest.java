package dev.comporta.client.header;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.header.Throttle.Resending;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What turns a request away for its rate, in whatever status, and what is nothing of the kind. */
class VendorRefusalTest {

  @Test
  void refusalsOfTheCorpusAreTold() {
    Set<String> refusals =
        Corpus.all().stream()
            .filter(one -> one.status() != 429)
            .filter(one -> HeaderReader.read(one.head(), List.of()).throttle().isRefusal())
            .map(Corpus.Case::id)
            .collect(Collectors.toSet());

    assertThat(refusals)
        .containsExactlyInAnyOrder(
            "github-primary-403",
            "github-secondary-retry-after",
            "github-secondary-no-header",
            "stripe-409-should-not",
            "linear-400",
            "ietf-503-reduced-capacity",
            "x-ra-past-date",
            "x-ra-asctime",
            "x-ra-date-503",
            "x-ra-date-client-ahead",
            "x-ra-date-client-behind",
            "x-ra-date-no-Date",
            "x-ra-date-wrong-weekday");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      value = {
        "api.github.com | 403 | X-RateLimit-Remaining: 0 | - | true",
        "api.github.com | 403 | X-RateLimit-Remaining: 9 | - | false",
        "api.github.com | 403 | X-RateLimit-Remaining: 9 | a secondary rate limit | true",
        "api.example | 403 | X-RateLimit-Remaining: 0 | - | false",
        "api.example | 403 | Retry-After: 5 | - | true",
        "api.example | 503 | Retry-After: 5 | - | true",
        "api.example | 503 | Server: x | - | false",
        "api.example | 500 | Retry-After: 5 | - | false",
        "api.example | 201 | Retry-After: 5 | - | false",
        "graph.facebook.com | 400 | X-Business-Use-Case-Usage: {\"estimated_time_to_regain_access\":4} | - | true",
        "graph.facebook.com | 400 | X-Business-Use-Case-Usage: {\"estimated_time_to_regain_access\":0} | - | false",
        "x.my.salesforce.com | 403 | Server: x | REQUEST_LIMIT_EXCEEDED | true",
        "api.binance.com | 418 | Retry-After: 5 | - | true",
      })
  void statusNeedsTheSignOfItsVendor(
      String host, int status, String field, String body, boolean isRefusal) {
    assertThat(read(host, status, field, Optional.ofNullable(body)).throttle().isRefusal())
        .isEqualTo(isRefusal);
  }

  @ParameterizedTest
  @CsvSource({
    "Stripe-Should-Retry: false, FORBIDDEN",
    "Stripe-Should-Retry: true, ALLOWED",
    "x-should-retry: FALSE, FORBIDDEN",
    "x-should-retry: maybe, NOT_TOLD",
  })
  void wordOfTheServerOnSendingAgainIsTold(String field, Resending resending) {
    assertThat(read("api.example", 429, field, Optional.empty()).throttle().resending())
        .isEqualTo(resending);
  }

  @Test
  void abnormalUsageMustNotBeSentAgain() {
    String body =
        "{\"type\":\"https://iana.org/assignments/http-problem-types#abnormal-usage-detected\"}";

    assertThat(read("a.example", 429, "A: b", Optional.of(body)).throttle().resending())
        .isEqualTo(Resending.FORBIDDEN);
  }

  @ParameterizedTest
  @CsvSource({
    "api.airtable.com, 429, 30",
    "api.github.com, 429, 60",
    "euw1.api.riotgames.com, 429, 5",
  })
  void usualWaitOfTheVendorIsTheHintOfARefusalThatTellsNone(String host, int status, long seconds) {
    assertThat(read(host, status, "Server: x", Optional.empty()).waitHint())
        .contains(Duration.ofSeconds(seconds));
    assertThat(read(host, 200, "Server: x", Optional.empty()).waitHint()).isEmpty();
  }

  @Test
  void secondaryLimitOfGitHubDoesNotWaitForThePrimaryReset() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put("X-RateLimit-Limit", List.of("15000"));
    headers.put("X-RateLimit-Remaining", List.of("14463"));
    headers.put("X-RateLimit-Reset", List.of("2100"));
    ResponseHead head =
        new ResponseHead(
            Optional.of("api.github.com"),
            403,
            headers,
            Instant.EPOCH,
            Optional.of("{\"message\":\"You have exceeded a secondary rate limit.\"}"));

    assertThat(HeaderReader.read(head, List.of()).waitHint()).contains(Duration.ofSeconds(60));
  }

  @Test
  void longerOfTheWaitsInHeaderAndBodyCounts() {
    assertThat(
            read("discord.com", 429, "Retry-After: 1", Optional.of("{\"retry_after\": 1.337}"))
                .retryAfter())
        .contains(Duration.ofMillis(1337));
    assertThat(
            read("discord.com", 429, "Retry-After: 2", Optional.of("{\"retry_after\": 1.337}"))
                .retryAfter())
        .contains(Duration.ofSeconds(2));
  }

  private static RateLimitSnapshot read(
      String host, int status, String field, Optional<String> body) {
    int colon = field.indexOf(':');
    return HeaderReader.read(
        new ResponseHead(
            Optional.of(host),
            status,
            Map.of(field.substring(0, colon), List.of(field.substring(colon + 1))),
            Instant.EPOCH,
            body),
        List.of());
  }
}
