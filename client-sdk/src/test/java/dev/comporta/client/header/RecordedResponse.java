package dev.comporta.client.header;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A block of {@code responses.txt}: a response, and what has to be read in it. */
record RecordedResponse(
    String id, Map<String, List<String>> headers, Map<String, List<String>> lines) {

  static List<RecordedResponse> all() {
    List<RecordedResponse> all = new ArrayList<>();
    for (String block : text().split("\n\n", -1)) {
      RecordedResponse response = of(block);
      if (!response.id().isEmpty()) {
        all.add(response);
      }
    }
    return all;
  }

  int status() {
    return Integer.parseInt(value("status").orElseThrow());
  }

  Instant receivedAt() {
    return Instant.parse(value("received").orElseThrow());
  }

  Optional<String> value(String key) {
    return values(key).stream().findFirst();
  }

  List<String> values(String key) {
    return lines.getOrDefault(key, List.of());
  }

  @Override
  public String toString() {
    return id;
  }

  private static RecordedResponse of(String block) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (String line : block.lines().filter(l -> !l.startsWith("#")).toList()) {
      if (line.startsWith("> ")) {
        int colon = line.indexOf(": ");
        String value = line.substring(colon + 2).replace("\\t", "\t");
        headers.computeIfAbsent(line.substring(2, colon), n -> new ArrayList<>()).add(value);
      } else if (!line.isBlank()) {
        int space = line.indexOf(' ');
        lines
            .computeIfAbsent(line.substring(0, space), n -> new ArrayList<>())
            .add(line.substring(space + 1));
      }
    }
    String id = lines.getOrDefault("response", List.of("")).get(0);
    return new RecordedResponse(id, headers, lines);
  }

  private static String text() {
    try (InputStream in = RecordedResponse.class.getResourceAsStream("responses.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
