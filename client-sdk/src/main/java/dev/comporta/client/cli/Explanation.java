package dev.comporta.client.cli;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.ResponseHead;
import dev.comporta.client.header.Window;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonWriter;
import jakarta.json.stream.JsonGenerator;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the client makes of a response, as JSON. What the response does not tell is left out. */
final class Explanation {

  private Explanation() {}

  static String json(ResponseHead head, RateLimitSnapshot snapshot) {
    JsonObjectBuilder json = Json.createObjectBuilder();
    Optional<Window> governing = snapshot.tightest();
    governing.ifPresent(window -> addNumbers(json, window));
    governing
        .filter(window -> !window.terms().isResetScheduled())
        .ifPresent(window -> addReset(json, window, head.receivedAt()));
    snapshot.retryAfter().ifPresent(wait -> json.add("retryAfterMs", millis(wait)));
    snapshot.policyName().ifPresent(name -> json.add("policyName", name));
    List<Window> windows =
        Stream.concat(snapshot.windows().stream(), snapshot.otherWindows().stream()).toList();
    if (!windows.isEmpty()) {
      JsonArrayBuilder array = Json.createArrayBuilder();
      windows.forEach(window -> array.add(window(window, head.receivedAt())));
      json.add("windows", array);
    }
    json.add("advice", Advice.of(head, snapshot));
    return indented(json.build());
  }

  private static JsonObject window(Window window, Instant receivedAt) {
    JsonObjectBuilder json = Json.createObjectBuilder();
    window.policyName().ifPresent(name -> json.add("name", name));
    if (!window.countsRequests()) {
      json.add("unit", window.terms().unit());
    }
    addNumbers(json, window);
    window.length().ifPresent(length -> json.add("windowSeconds", seconds(length)));
    addReset(json, window, receivedAt);
    window
        .terms()
        .ratePerSecond()
        .ifPresent(rate -> json.add("ratePerSecond", plain(BigDecimal.valueOf(rate))));
    window.terms().retryAfter().ifPresent(wait -> json.add("retryAfterMs", millis(wait)));
    return json.build();
  }

  private static void addNumbers(JsonObjectBuilder json, Window window) {
    window.limit().ifPresent(limit -> json.add("limit", limit));
    window.remaining().ifPresent(remaining -> json.add("remaining", remaining));
  }

  private static void addReset(JsonObjectBuilder json, Window window, Instant receivedAt) {
    window
        .resetAfter()
        .ifPresent(reset -> json.add("resetAt", Advice.after(receivedAt, reset).toString()));
  }

  /** Rounded up: who waits for less is refused. */
  private static long millis(Duration wait) {
    return wait.plusNanos(999_999).toMillis();
  }

  private static BigDecimal seconds(Duration length) {
    return plain(BigDecimal.valueOf(length.toNanos(), 9));
  }

  /** Without zeros at the end and without an exponent. */
  private static BigDecimal plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static String indented(JsonObject json) {
    StringWriter text = new StringWriter();
    try (JsonWriter writer =
        Json.createWriterFactory(Map.of(JsonGenerator.PRETTY_PRINTING, true)).createWriter(text)) {
      writer.write(json);
    }
    return text.toString().strip();
  }
}
