package dev.comporta.client.header;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The header of one response, by names in any case, with the whitespace around values removed. */
final class HeaderLines {

  /** Longer than any list of limits; a longer field is not read. */
  private static final int LONGEST_FIELD = 8 * 1024;

  private final Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Instant receivedAt;

  HeaderLines(Map<String, List<String>> headers, Instant receivedAt) {
    this.receivedAt = receivedAt;
    headers.forEach(this::add);
  }

  /** The lines of a field that are not empty, in their order. */
  List<String> of(String name) {
    return lines.getOrDefault(name, List.of());
  }

  /** The lines of a list field joined into one value; empty when it is absent or too long. */
  Optional<String> joined(String name) {
    String value = String.join(", ", of(name));
    return value.isEmpty() || value.length() > LONGEST_FIELD
        ? Optional.empty()
        : Optional.of(value);
  }

  /** The first line of a field. */
  Optional<String> first(String name) {
    return of(name).stream().findFirst();
  }

  /**
   * The server's clock when it answered: its {@code Date}, or the time of receipt where it has
   * none. Instants are measured against it, so that a wrong clock on this side does not matter.
   */
  Instant serverTime() {
    return first("Date").flatMap(date -> HttpDate.parse(date, receivedAt)).orElse(receivedAt);
  }

  private void add(String name, List<String> values) {
    List<String> kept = lines.computeIfAbsent(name, absent -> new ArrayList<>());
    for (String value : values) {
      // HTTP stacks are known to give null for a field without a value.
      String trimmed = String.valueOf(value).strip();
      if (value != null && !trimmed.isEmpty()) {
        kept.add(trimmed);
      }
    }
  }
}
