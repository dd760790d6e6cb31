package dev.comporta.client.header;

import dev.comporta.client.header.ListWindows.Notation;
import dev.comporta.client.header.NumberFields.Column;
import dev.comporta.client.header.NumberFields.Role;
import dev.comporta.client.header.NumberWindows.Labels;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the {@code window} line of a profile: where the numbers of a window stand. */
final class WindowLine {

  private static final Map<String, Notation> NOTATIONS =
      Map.of(
          "used-of-limit", Notation.USED_OF_LIMIT,
          "name-remaining", Notation.NAME_REMAINING,
          "waits", Notation.WAITS,
          "remaining-by-name", Notation.REMAINING_BY_NAME,
          "fields-by-name", Notation.FIELDS_BY_NAME);

  /** What a column of numbers is, by its key in the line. */
  private record Meaning(Role role, long nanosPerUnit) {}

  private static final Map<String, Meaning> COLUMNS =
      Map.of(
          "limit", new Meaning(Role.LIMIT, 0),
          "remaining", new Meaning(Role.REMAINING, 0),
          "used", new Meaning(Role.USED, 0),
          "reset", new Meaning(Role.RESET, 0),
          "reset-s", new Meaning(Role.RESET, Decimal.SECOND),
          "reset-ms", new Meaning(Role.RESET, Decimal.MILLI),
          "length-s", new Meaning(Role.LENGTH, Decimal.SECOND),
          "length-ms", new Meaning(Role.LENGTH, Decimal.MILLI),
          "rate", new Meaning(Role.RATE, 0));

  private WindowLine() {}

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if a part of it is not known
   */
  static WindowForm parse(String line) {
    Map<String, String> parts = parts(line);
    Labels labels =
        new Labels(
            Optional.ofNullable(parts.remove("unit")).orElse(Window.Terms.REQUESTS.unit()),
            words(parts.remove("name")).toList(),
            words(parts.remove("length")).map(ProfileParser::duration).toList(),
            "yes".equals(parts.remove("aligned")));
    if (parts.containsKey("counts")) {
      FieldName used = field(parts, "counts-used");
      FieldName limits = field(parts, "counts");
      requireNoMore(parts);
      return new CountedWindows(limits, used, labels);
    }
    for (Map.Entry<String, Notation> notation : NOTATIONS.entrySet()) {
      if (parts.containsKey(notation.getKey())) {
        FieldName field = field(parts, notation.getKey());
        requireNoMore(parts);
        return new ListWindows(notation.getValue(), field, labels);
      }
    }
    return new NumberWindows(columns(parts), labels);
  }

  private static NumberFields columns(Map<String, String> parts) {
    Map<Role, List<Column>> columns = new EnumMap<>(Role.class);
    for (Map.Entry<String, Meaning> column : COLUMNS.entrySet()) {
      Meaning meaning = column.getValue();
      String[] names =
          Optional.ofNullable(parts.remove(column.getKey())).orElse("").split("\\|", -1);
      if (!names[0].isEmpty()) {
        columns.put(
            meaning.role(),
            Stream.of(names)
                .map(name -> new Column(FieldName.of(name), meaning.nanosPerUnit()))
                .toList());
      }
    }
    requireNoMore(parts);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("a window must name a field");
    }
    return new NumberFields(columns, Optional.empty());
  }

  private static Map<String, String> parts(String line) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (String word : line.split(" +", -1)) {
      int equals = word.indexOf('=');
      if (equals < 1 || equals == word.length() - 1) {
        throw new IllegalArgumentException("a part must be as limit=X-Limit, was " + word);
      }
      parts.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return parts;
  }

  private static FieldName field(Map<String, String> parts, String key) {
    String name = Optional.ofNullable(parts.remove(key)).orElse("");
    if (name.isEmpty()) {
      throw new IllegalArgumentException(key + " must be given");
    }
    return FieldName.of(name.endsWith("*") ? name.substring(0, name.length() - 1) : name);
  }

  private static void requireNoMore(Map<String, String> parts) {
    if (!parts.isEmpty()) {
      throw new IllegalArgumentException("not known here: " + parts.keySet());
    }
  }

  private static Stream<String> words(@Nullable String list) {
    return list == null ? Stream.of() : Stream.of(list.split(",", -1));
  }
}
