package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import jakarta.json.Json;
import jakarta.json.JsonConfig;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalAnswerTest {

  private static final JsonReaderFactory WITHOUT_DUPLICATES =
      Json.createReaderFactory(Map.of(JsonConfig.KEY_STRATEGY, JsonConfig.KeyStrategy.NONE));

  private static final Refusal OVER_LIMIT = Refusal.overLimit("search-1m", 60_000_000);

  @Test
  void isJsonInEnglishByDefault() {
    RefusalAnswer answer = RefusalAnswer.of(OVER_LIMIT, Optional.empty(), Optional.empty());

    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.mediaType()).isEqualTo("application/json");
    assertThat(answer.headers())
        .containsExactly(
            entry("Retry-After", "60"),
            entry("Cache-Control", "no-store"),
            entry("Content-Language", "en"),
            entry("Vary", "Accept, Accept-Language"));
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\":\"Too Many Requests\",\"message\":\"Too many requests. Try again in 60"
                + " seconds.\",\"retryAfter\":60,\"policy\":\"search-1m\"}");
  }

  @Test
  void isAProblemForWhoAsksForOne() {
    RefusalAnswer answer = answer(OVER_LIMIT, "application/problem+json", "en");

    assertThat(answer.mediaType()).isEqualTo("application/problem+json");
    assertThat(answer.body())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
                + "\"status\":429,\"detail\":\"Too many requests. Try again in 60 seconds.\","
                + "\"violated-policies\":[\"search-1m\"],\"retryAfter\":60}");
  }

  @Test
  void isASentenceForWhoAsksForText() {
    RefusalAnswer answer = answer(OVER_LIMIT, "text/plain", "es");

    assertThat(answer.mediaType()).isEqualTo("text/plain;charset=UTF-8");
    assertThat(answer.headers()).containsEntry("Content-Language", "es");
    assertThat(answer.body())
        .isEqualTo("Demasiadas solicitudes. Inténtelo de nuevo dentro de 60 segundos.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "NEVER_PASSES   | {\"error\":\"Too Many Requests\",\"message\":\"This request costs more"
            + " than its limit: it can never pass.\",\"policy\":\"search-1m\"}",
        "NOT_CHECKED    | {\"error\":\"Service Unavailable\",\"message\":\"The limits cannot be"
            + " checked now. Try again in 1 second.\",\"retryAfter\":1}",
        "BLOCKED_FOR_NOW| {\"error\":\"Too Many Requests\",\"message\":\"The caller of this request"
            + " is blocked for now. Try again in 1 second.\",\"retryAfter\":1}",
        "BLOCKED        | {\"error\":\"Forbidden\",\"message\":\"The caller of this request is"
            + " blocked.\"}",
        "CALLER_UNKNOWN | {\"error\":\"Forbidden\",\"message\":\"The caller of this request cannot"
            + " be told.\"}",
      })
  void tellsOfEachKindInJson(RefusalKind kind, String body) {
    assertThat(answer(refusal(kind), "application/json", "en").body()).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "NOT_CHECKED     | {\"type\":\"about:blank\",\"title\":\"Service Unavailable\","
            + "\"status\":503,\"detail\":\"The limits cannot be checked now. Try again in 1"
            + " second.\",\"retryAfter\":1}",
        "BLOCKED_FOR_NOW | {\"type\":\"about:blank\",\"title\":\"Too Many Requests\","
            + "\"status\":429,\"detail\":\"The caller of this request is blocked for now. Try again"
            + " in 1 second.\",\"retryAfter\":1}",
        "BLOCKED         | {\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403,"
            + "\"detail\":\"The caller of this request is blocked.\"}",
      })
  void isAProblemOfNoTypeWhereNoQuotaRefuses(RefusalKind kind, String body) {
    assertThat(answer(refusal(kind), "application/problem+json", "en").body()).isEqualTo(body);
  }

  @ParameterizedTest
  @EnumSource
  void isValidInEveryFormAndLanguage(RefusalKind kind) {
    Refusal refusal = refusal(kind);
    for (String language : List.of("en", "pt", "es")) {
      JsonObject json = parse(answer(refusal, "application/json", language).body());
      JsonObject problem = parse(answer(refusal, "application/problem+json", language).body());
      String text = answer(refusal, "text/plain", language).body();

      assertThat(json.getString("message")).isEqualTo(text);
      assertThat(json.containsKey("retryAfter")).isEqualTo(kind.hasTime());
      assertThat(json.containsKey("policy")).isEqualTo(kind.hasLimit());
      assertThat(problem.getString("detail")).isEqualTo(text);
      assertThat(problem.getInt("status")).isEqualTo(kind.status());
      assertThat(problem.containsKey("retryAfter")).isEqualTo(kind.hasTime());
      assertThat(problem.containsKey("violated-policies")).isEqualTo(kind.hasLimit());
      assertThat(text).isNotBlank().doesNotContain("{");
    }
  }

  @Test
  void nameOfALimitCannotBreakOutOfTheBody() {
    Refusal refusal = Refusal.overLimit("a\",\"b\":\"\\\n\u2028é😀", 1);

    JsonObject json = parse(answer(refusal, "application/json", "en").body());
    JsonObject problem = parse(answer(refusal, "application/problem+json", "en").body());

    assertThat(json.getString("policy")).isEqualTo("a\",\"b\":\"\\\n\u2028é😀");
    assertThat(problem.getJsonArray("violated-policies").getString(0))
        .isEqualTo("a\",\"b\":\"\\\n\u2028é😀");
  }

  @Test
  void readsSeveralLinesThatAreJoinedByCommas() {
    assertThat(answer(OVER_LIMIT, "text/html,application/problem+json", "fr,pt-BR").headers())
        .containsEntry("Content-Language", "pt");
    assertThat(answer(OVER_LIMIT, "text/html,application/problem+json", "fr,pt-BR").mediaType())
        .isEqualTo("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(longs = {20_261_130, 20_261_131, 20_261_132, 20_261_133})
  void everyMutatedHeaderGetsAValidAnswer(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      String accept = mutated("text/html, application/problem+json;q=0.9, text/*;q=\".5\"", random);
      String languages = mutated("pt-BR,pt;q=0.9,es-419;q=0.8,*;q=0.1", random);

      RefusalAnswer answer = answer(OVER_LIMIT, accept, languages);

      assertThat(answer.headers().get("Content-Language"))
          .as("seed %d, round %d: %s", seed, i, languages)
          .isIn("en", "pt", "es");
      assertThat(answer.body()).as("seed %d, round %d: %s", seed, i, accept).isNotEmpty();
      if (answer.mediaType().endsWith("json")) {
        assertThat(parse(answer.body())).isNotEmpty();
      }
    }
  }

  private static JsonObject parse(String body) {
    try (JsonReader reader = WITHOUT_DUPLICATES.createReader(new StringReader(body))) {
      return reader.readObject();
    }
  }

  private static String mutated(String honest, Random random) {
    StringBuilder text = new StringBuilder(honest);
    int mutations = 1 + random.nextInt(8);
    for (int i = 0; i < mutations; i++) {
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, ",;=\"\\*/q.-+ \t".charAt(random.nextInt(12)));
        case 1 -> text.insert(at, (char) random.nextInt(0x10000));
        case 2 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(5)));
        default -> text.insert(at, text.substring(random.nextInt(at + 1), at));
      }
    }
    return text.toString();
  }

  private static RefusalAnswer answer(Refusal refusal, String accept, String acceptLanguage) {
    return RefusalAnswer.of(refusal, Optional.of(accept), Optional.of(acceptLanguage));
  }

  private static Refusal refusal(RefusalKind kind) {
    return switch (kind) {
      case OVER_LIMIT -> OVER_LIMIT;
      case NEVER_PASSES -> Refusal.neverPasses("search-1m");
      case NOT_CHECKED -> Refusal.notChecked(1);
      case BLOCKED_FOR_NOW -> Refusal.blockedFor(1);
      case BLOCKED -> Refusal.blocked();
      case CALLER_UNKNOWN -> Refusal.callerUnknown();
    };
  }
}
