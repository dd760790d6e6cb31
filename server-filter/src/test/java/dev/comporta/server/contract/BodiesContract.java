package dev.comporta.server.contract;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a refusal says, and in which form and language. */
public interface BodiesContract {

  /** Speaks to the application. */
  HttpApi api();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json | application/json | {\"error\":\"Too Many Requests\"",
        "application/problem+json | application/problem+json | quota-exceeded",
        "text/plain | text/plain | Too many requests.",
        "text/html, */*;q=0.1 | application/json | {\"error\"",
        "image/png | application/json | {\"error\"",
        "application/json;q=0.4, text/plain;q=0.6 | text/plain | Too many requests."
      })
  default void answersInTheFormThatTheCallerAccepts(String accept, String type, String body) {
    HttpResponse<String> refused = refused("Accept", accept);

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "Content-Type")).startsWith(type);
    assertThat(refused.body()).contains(body);
    assertThat(only(refused, "Cache-Control")).contains("no-store");
    assertThat(String.join(",", refused.headers().allValues("Vary"))).contains("Accept");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "en | en | Too many requests.",
        "pt-BR, en;q=0.5 | pt | pedidos",
        "es-MX | es | solicitudes",
        "de, fr | en | Too many requests."
      })
  default void answersInTheLanguageOfTheCaller(String accepted, String language, String message) {
    HttpResponse<String> refused = refused("Accept", "text/plain", "Accept-Language", accepted);

    assertThat(only(refused, "Content-Language")).isEqualTo(language);
    assertThat(refused.body()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/problem+json", "text/plain"})
  default void theBodyTellsTheTimeThatTheHeaderTells(String accept) {
    HttpResponse<String> refused = refused("Accept", accept);

    assertThat(refused.body()).contains(only(refused, "Retry-After"));
  }

  @Test
  default void aRefusedHeadHasTheHeadersAndNoBody() {
    api().send("HEAD", "bodies/none", "X-User", "head");
    HttpResponse<String> refused = api().send("HEAD", "bodies/none", "X-User", "head");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "Retry-After")).isNotEmpty();
    assertThat(refused.body()).isEmpty();
  }

  private HttpResponse<String> refused(String... headers) {
    api().get("bodies/none");
    return api().get("bodies/none", headers);
  }
}
