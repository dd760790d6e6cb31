package dev.comporta.client.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every header set of the corpus is read as the corpus says, whatever host it came from. */
class HeaderCorpusTest {

  private static final List<String> TOLD =
      List.of("limit", "remaining", "resetAt", "retryAfterMs", "policyName");

  @Test
  void corpusIsWhole() {
    assertThat(Corpus.all()).hasSize(117);
  }

  @TestFactory
  Stream<DynamicTest> readsWhatTheCorpusSaysAndNoMore() {
    return Corpus.all().stream().map(one -> dynamicTest(one.id(), () -> check(one)));
  }

  private static void check(Corpus.Case one) {
    RateLimitSnapshot snapshot = HeaderReader.read(one.head(), List.of());

    Map<String, Object> expected = new TreeMap<>();
    for (String key : TOLD) {
      if (one.expected().containsKey(key)) {
        expected.put(key, value(one.expected().get(key)));
      }
    }
    assertThat(told(snapshot, one.receivedAt())).isEqualTo(expected);
    if (one.expected().containsKey("windows")) {
      checkWindows(one, snapshot);
    }
  }

  /** A window of the corpus lacks what it tells elsewhere, so the keys it has are compared. */
  private static void checkWindows(Corpus.Case one, RateLimitSnapshot snapshot) {
    List<JsonObject> expected =
        one.expected().getJsonArray("windows").getValuesAs(JsonObject.class);
    List<Window> windows =
        Stream.concat(snapshot.windows().stream(), snapshot.otherWindows().stream()).toList();

    assertThat(windows).hasSameSizeAs(expected);
    for (int i = 0; i < windows.size(); i++) {
      Map<String, Object> told = told(windows.get(i), one.receivedAt());
      expected
          .get(i)
          .forEach((key, value) -> assertThat(told).as(one.id()).containsEntry(key, value(value)));
    }
  }

  private static Map<String, Object> told(RateLimitSnapshot snapshot, Instant receivedAt) {
    Map<String, Object> told = new TreeMap<>();
    snapshot
        .tightest()
        .ifPresent(
            window -> {
              window.limit().ifPresent(limit -> told.put("limit", (double) limit));
              window.remaining().ifPresent(left -> told.put("remaining", (double) left));
              resetAt(window, receivedAt)
                  .filter(at -> !window.terms().isResetScheduled())
                  .ifPresent(at -> told.put("resetAt", at));
            });
    snapshot.retryAfter().ifPresent(wait -> told.put("retryAfterMs", (double) wait.toMillis()));
    snapshot.policyName().ifPresent(name -> told.put("policyName", name));
    return told;
  }

  private static Map<String, Object> told(Window window, Instant receivedAt) {
    Map<String, Object> told = new TreeMap<>();
    window.policyName().ifPresent(name -> told.put("name", name));
    window.limit().ifPresent(limit -> told.put("limit", (double) limit));
    window.remaining().ifPresent(left -> told.put("remaining", (double) left));
    window.length().ifPresent(length -> told.put("windowSeconds", (double) length.toSeconds()));
    resetAt(window, receivedAt).ifPresent(at -> told.put("resetAt", at));
    window.terms().ratePerSecond().ifPresent(rate -> told.put("ratePerSecond", rate));
    window
        .terms()
        .retryAfter()
        .ifPresent(wait -> told.put("retryAfterMs", (double) wait.toMillis()));
    return told;
  }

  private static Optional<String> resetAt(Window window, Instant receivedAt) {
    return window.resetAfter().map(reset -> receivedAt.plus(reset).toString());
  }

  private static Object value(JsonValue value) {
    return value instanceof JsonNumber number
        ? (Object) number.doubleValue()
        : ((JsonString) value).getString();
  }
}
