package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.contract.ContractApplication;
import dev.comporta.server.contract.HttpApi;
import java.net.http.HttpResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms and languages of refusals, through a server's own reading and writing of headers. */
class NegotiatedRefusalsTest {

  private final JerseyServer server =
      new JerseyServer(ResourceConfig.forApplicationClass(ContractApplication.class));
  private final HttpApi api = new HttpApi(server.base().resolve("api/"));

  @BeforeEach
  void useUp() {
    assertThat(api.send("POST", "limits/one").statusCode()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/problem+json | pt-BR,pt;q=0.9 | application/problem+json | pt | daqui a",
        "text/plain               | es             | text/plain;charset=UTF-8 | es | Inténtelo",
        "image/png                | fr             | application/json         | en | Try again",
      })
  void takesTheFormAndTheLanguageOfTheCaller(
      String accept, String languages, String type, String language, String words) {
    HttpResponse<String> refused =
        api.send("POST", "limits/one", "Accept", accept, "Accept-Language", languages);

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "Content-Type")).isEqualToIgnoringCase(type);
    assertThat(only(refused, "Content-Language")).isEqualTo(language);
    assertThat(String.join(",", refused.headers().allValues("Vary")))
        .contains("Accept", "Accept-Language");
    assertThat(refused.body()).contains(words).contains(only(refused, "Retry-After"));
  }

  @Test
  void readsSeveralLinesOfAHeader() {
    HttpResponse<String> refused =
        api.send(
            "POST",
            "limits/one",
            "Accept",
            "image/png",
            "Accept",
            "application/problem+json;q=0.1");

    assertThat(only(refused, "Content-Type")).isEqualTo("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "*-", ";q=1", ";;==\"", "es;q=oops"})
  void answersWhateverTheLanguageHeaderHolds(String languages) {
    HttpResponse<String> refused = api.send("POST", "limits/one", "Accept-Language", languages);

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(only(refused, "Content-Language")).isEqualTo("en");
  }
}
