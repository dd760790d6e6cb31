package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LanguageTest {

  @Test
  void isEnglishWithoutAcceptLanguage() {
    assertThat(Language.chosenBy(Optional.empty())).isEqualTo(Language.ENGLISH);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "pt                            | PORTUGUESE",
        "pt-BR                         | PORTUGUESE",
        "PT-pt                         | PORTUGUESE",
        "es-419                        | SPANISH",
        "es-Latn-MX                    | SPANISH",
        "en-GB                         | ENGLISH",
        "pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7 | PORTUGUESE",
        "en;q=0.7, es;q=0.8            | SPANISH",
        "es, pt                        | SPANISH",
        "pt, es                        | PORTUGUESE",
        "fr, es;q=0.1                  | SPANISH",
        "*, es;q=0.5                   | SPANISH",
        "es;q=0, pt;q=0.1              | PORTUGUESE",
        "zz-, es                       | SPANISH",
        "-, es                         | SPANISH",
        "en;q=oops, es                 | SPANISH",
      })
  void isTheOneWithTheGreatestWeightThenTheFirst(String acceptLanguage, Language language) {
    assertThat(Language.chosenBy(Optional.of(acceptLanguage))).isEqualTo(language);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {"fr", "*", "-", "est", "e", "ptx-BR", "es_MX", "es;q=0", "es;q=-1", ",", "\u0000"})
  void isEnglishWhenNoneIsAsked(String acceptLanguage) {
    assertThat(Language.chosenBy(Optional.of(acceptLanguage))).isEqualTo(Language.ENGLISH);
  }

  @ParameterizedTest
  @EnumSource
  void everyLanguageHasTheSameMessagesAndNoOther(Language language) {
    Set<String> keys = new HashSet<>();
    for (RefusalKind kind : RefusalKind.values()) {
      keys.add(kind.messageKey());
      keys.add(kind.titleKey());
    }
    keys.addAll(List.of("try-again.one", "try-again.other", "try-again.many"));

    assertThat(language.messages().keySet()).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(keys).allSatisfy(key -> assertThat(language.messages().getString(key)).isNotBlank());
  }

  @Test
  void noTwoLanguagesSayTheSame() {
    List<String> explained =
        Arrays.stream(Language.values()).map(it -> it.explain(Refusal.blocked())).toList();

    assertThat(explained).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ENGLISH    | 1       | Too many requests. Try again in 1 second.",
        "ENGLISH    | 2       | Too many requests. Try again in 2 seconds.",
        "ENGLISH    | 2000000 | Too many requests. Try again in 2000000 seconds.",
        "PORTUGUESE | 1       | Demasiados pedidos. Tente novamente daqui a 1 segundo.",
        "PORTUGUESE | 2       | Demasiados pedidos. Tente novamente daqui a 2 segundos.",
        "PORTUGUESE | 86400   | Demasiados pedidos. Tente novamente daqui a 86400 segundos.",
        "PORTUGUESE | 2000000 | Demasiados pedidos. Tente novamente daqui a 2000000 de segundos.",
        "SPANISH    | 1       | Demasiadas solicitudes. Inténtelo de nuevo dentro de 1 segundo.",
        "SPANISH    | 21      | Demasiadas solicitudes. Inténtelo de nuevo dentro de 21 segundos.",
        "SPANISH    | 1000000 | Demasiadas solicitudes. Inténtelo de nuevo dentro de 1000000 de"
            + " segundos.",
      })
  void countsSecondsAsItsSpeakersDo(Language language, long seconds, String explained) {
    assertThat(language.explain(Refusal.overLimit("a-1m", seconds * 1_000_000)))
        .isEqualTo(explained);
  }
}
