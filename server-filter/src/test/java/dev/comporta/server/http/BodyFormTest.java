package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyFormTest {

  @Test
  void isJsonWithoutAccept() {
    assertThat(BodyForm.chosenBy(Optional.empty())).isEqualTo(BodyForm.JSON);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "application/json                                    | JSON",
        "application/problem+json                            | PROBLEM",
        "text/plain                                          | TEXT",
        "APPLICATION/Problem+JSON                            | PROBLEM",
        "*/*                                                 | JSON",
        "*                                                   | JSON",
        "application/*                                       | JSON",
        "text/*                                              | TEXT",
        "text/*, */*;q=0.1                                   | TEXT",
      })
  void isTheOneThatIsNamed(String accept, BodyForm form) {
    assertThat(BodyForm.chosenBy(Optional.of(accept))).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "application/json;q=0.5, application/problem+json    | PROBLEM",
        "application/json, application/problem+json;q=0.9    | JSON",
        "text/plain;q=0.8, application/problem+json;q=0.801  | PROBLEM",
        "text/plain;q=.2, application/json;q=.1              | TEXT",
        "text/plain;q=1., application/json;q=0.9             | TEXT",
        "text/plain ; q = 0.9 , application/json ; Q=0.1     | TEXT",
        "text/plain\t;\tq=0.9\t,\tapplication/json;q=0.1     | TEXT",
        "text/plain;q=0.9;ext=1, application/json;q=0.1      | TEXT",
        "text/plain;q=0.99999, application/json;q=0.99       | TEXT",
        "*/*;q=0.5, text/plain;q=0.4                         | JSON",
        "*/*;q=0.5, application/json;q=0.4, text/*;q=0.1     | PROBLEM",
        "application/*;q=0.2, text/*;q=0.3                   | TEXT",
        "application/json;q=0, */*                           | PROBLEM",
        "application/json;q=0.000, application/*;q=0.001     | PROBLEM",
        "application/*;q=0, */*                              | TEXT",
        "application/problem+json;q=0, application/*         | JSON",
        "application/json;q=0.1, application/json;q=0.9, text/plain;q=0.5 | JSON",
      })
  void isTheOneWithTheGreatestWeightByItsNearestRange(String accept, BodyForm form) {
    assertThat(BodyForm.chosenBy(Optional.of(accept))).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "text/plain, application/json                        | JSON",
        "text/plain, application/problem+json                | PROBLEM",
        "application/problem+json, application/json          | JSON",
        "application/json, text/plain, */*                   | JSON",
        "application/problem+json, */*                       | PROBLEM",
        "text/plain, */*                                     | TEXT",
        "text/plain, application/*                           | TEXT",
        "text/*, */*                                         | TEXT",
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2 | JSON",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | JSON",
      })
  void amongEqualsIsTheOneThatIsNamedMoreExactlyThenJson(String accept, BodyForm form) {
    assertThat(BodyForm.chosenBy(Optional.of(accept))).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "text/plain;charset=UTF-8                            | TEXT",
        "text/plain; charset=\"utf-8\"                       | TEXT",
        "text/plain;charset=iso-8859-1                       | TEXT",
        "application/json;odata.metadata=none, text/plain;q=0.9 | JSON",
        "application/problem+json;version=1;q=0.9, text/plain;q=0.8 | PROBLEM",
        "text/plain;format=flowed;q=0.9, text/plain;q=0.1, application/json;q=0.5 | JSON",
        "text/plain;format=flowed;q=0, text/*                | TEXT",
        "text/plain;charset=utf-8;q=0, text/plain, text/*    | JSON",
        "text/plain;x=\"a,b;q=0\";q=0.9, application/json;q=0.5 | TEXT",
        "text/plain;x=\"\\\",application/json\"              | TEXT",
      })
  void parametersComeNearerAndExcludeNothingElse(String accept, BodyForm form) {
    assertThat(BodyForm.chosenBy(Optional.of(accept))).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "text/html",
        "image/png",
        "application/xml, text/json",
        "*/*;q=0",
        "application/json;q=0, application/problem+json;q=0, text/plain;q=0",
        "application/problem+json;q=high",
        "application/problem+json;q=2",
        "application/problem+json;q=-1",
        "application/problem+json;q=1.1",
        "application/problem+json;q=",
        "application/problem+json;q=.",
        "application/problem+json;q=1e-1",
        "application/problem+json;q=\u0661",
        "application/",
        "/",
        "/*",
        "/problem+json",
        "text/plain/plain",
        ";q=1",
        ",,,",
        "\"text/plain",
        "\"\\",
        "=",
        "\u0000",
        "text/pl\u0131in",
        "\ud83d\ude00/\ud83d",
      })
  void isJsonWhenNothingThatIsAcceptedCanBeMade(String accept) {
    assertThat(BodyForm.chosenBy(Optional.of(accept))).isEqualTo(BodyForm.JSON);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        ", ,text/plain,                                      | TEXT",
        "garbage, text/plain                                 | TEXT",
        "text/html;q=oops, text/plain                        | TEXT",
        "text/plain;;q=0.5;                                  | TEXT",
        "text/plain;charset                                  | TEXT",
      })
  void passesOverWhatIsNoRange(String accept, BodyForm form) {
    assertThat(BodyForm.chosenBy(Optional.of(accept))).isEqualTo(form);
  }
}
