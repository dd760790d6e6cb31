package dev.comporta.client.header;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.InputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Header sets that servers send, real and hostile, with the reading expected of each. */
public final class Corpus {

  private Corpus() {}

  /** One header set. */
  public record Case(
      String id,
      int status,
      Map<String, List<String>> headers,
      Instant receivedAt,
      Optional<String> body,
      JsonObject expected) {

    ResponseHead head() {
      return new ResponseHead(Optional.empty(), status, headers, receivedAt, body);
    }

    @Override
    public String toString() {
      return id;
    }
  }

  /** All of them. */
  public static List<Case> all() {
    InputStream in = Objects.requireNonNull(Corpus.class.getResourceAsStream("corpus.json"));
    try (JsonReader reader = Json.createReader(in)) {
      return reader.readArray().getValuesAs(JsonObject.class).stream().map(Corpus::of).toList();
    }
  }

  private static Case of(JsonObject json) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    json.getJsonObject("headers").forEach((name, value) -> headers.put(name, lines(value)));
    return new Case(
        json.getString("id"),
        json.getInt("status"),
        headers,
        Instant.parse(json.getString("receivedAt")),
        Optional.ofNullable(json.getString("body", null)),
        json.getJsonObject("expect"));
  }

  private static List<String> lines(JsonValue value) {
    return value instanceof JsonArray lines
        ? lines.getValuesAs(JsonString.class).stream().map(JsonString::getString).toList()
        : List.of(((JsonString) value).getString());
  }
}
