package dev.comporta.client.header;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The header of one response, by names in any case, with the whitespace around values removed. More
 * fields, lines or characters than any server means are not read, so the work is bounded whatever
 * is sent. Of one thread.
 */
final class HeaderLines {

  /** Longer than any list of limits; a longer field is not read. */
  private static final int LONGEST_FIELD = 8 * 1024;

  private static final int MOST_FIELDS = 512;
  private static final int MOST_LINES = 64;

  /** More than the windows of any limit, or the waits of any refusal. */
  static final int MOST_MEMBERS = 64;

  private static final FieldName DATE = FieldName.of("Date");

  private final Instant receivedAt;
  private final String[] names;
  private final int[] hashes;
  private final List<List<String>> values;

  /** Positions by hash, plus one, so that 0 is free; probed one after the other. */
  private final int[] table;

  private int size;
  private Optional<Instant> serverTime = Optional.empty();

  HeaderLines(Map<String, List<String>> headers, Instant receivedAt) {
    this.receivedAt = receivedAt;
    int capacity = Math.min(headers.size(), MOST_FIELDS);
    this.names = new String[capacity];
    this.hashes = new int[capacity];
    this.values = new ArrayList<>(capacity);
    this.table = new int[Integer.highestOneBit(Math.max(4, capacity)) * 4];
    for (Map.Entry<String, List<String>> field : headers.entrySet()) {
      // HTTP stacks are known to keep the status line under a name of null.
      if (size < capacity && field.getKey() != null && field.getValue() != null) {
        add(field.getKey(), field.getValue());
      }
    }
  }

  /** The lines of a field that are not empty, in their order. */
  List<String> of(FieldName name) {
    for (int at = name.hash() & (table.length - 1); table[at] > 0; at = next(at)) {
      int index = table[at] - 1;
      if (name.is(names[index], hashes[index])) {
        return values.get(index);
      }
    }
    return List.of();
  }

  boolean has(FieldName name) {
    return !of(name).isEmpty();
  }

  /** The lines of a list field joined into one value; empty when it is absent or too long. */
  Optional<String> joined(FieldName name) {
    List<String> lines = of(name);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    String value = lines.size() == 1 ? lines.get(0) : String.join(", ", lines);
    return value.length() > LONGEST_FIELD ? Optional.empty() : Optional.of(value);
  }

  /** The first line of a field. */
  Optional<String> first(FieldName name) {
    List<String> lines = of(name);
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(0));
  }

  /** How many fields there are, for {@link #name(int)}. */
  int size() {
    return size;
  }

  String name(int index) {
    return names[index];
  }

  int hash(int index) {
    return hashes[index];
  }

  /**
   * The server's clock when it answered: its {@code Date}, or the time of receipt where it has
   * none. Instants are measured against it, so that a wrong clock on this side does not matter.
   */
  Instant serverTime() {
    if (serverTime.isEmpty()) {
      serverTime =
          Optional.of(
              first(DATE).flatMap(date -> HttpDate.parse(date, receivedAt)).orElse(receivedAt));
    }
    return serverTime.get();
  }

  private void add(String name, List<String> lines) {
    List<String> kept = kept(lines);
    int hash = FieldName.hash(name);
    int at = hash & (table.length - 1);
    while (table[at] > 0) {
      int index = table[at] - 1;
      if (hashes[index] == hash && names[index].equalsIgnoreCase(name)) {
        List<String> both = new ArrayList<>(values.get(index));
        both.addAll(kept.subList(0, Math.min(kept.size(), MOST_LINES - both.size())));
        values.set(index, both);
        return;
      }
      at = next(at);
    }
    table[at] = size + 1;
    names[size] = name;
    hashes[size] = hash;
    values.add(kept);
    size++;
  }

  /** The members of a list in a line, without the blanks around them; the first of many. */
  static List<String> members(String line) {
    List<String> members = new ArrayList<>();
    int start = 0;
    while (start <= line.length() && members.size() < MOST_MEMBERS) {
      int comma = line.indexOf(',', start);
      int end = comma < 0 ? line.length() : comma;
      members.add(line.substring(start, end).strip());
      start = end + 1;
    }
    return members;
  }

  private int next(int at) {
    return (at + 1) & (table.length - 1);
  }

  private static List<String> kept(List<String> lines) {
    if (lines.size() == 1 && lines.get(0) != null) {
      String only = lines.get(0);
      String stripped = only.strip();
      if (stripped.isEmpty() || stripped.length() > LONGEST_FIELD) {
        return List.of();
      }
      return stripped.length() == only.length() ? lines : List.of(stripped);
    }
    String[] kept = new String[Math.min(lines.size(), MOST_LINES)];
    int count = 0;
    for (int i = 0; i < kept.length; i++) {
      // HTTP stacks are known to give null for a field without a value.
      String line = lines.get(i) == null ? "" : lines.get(i).strip();
      if (!line.isEmpty() && line.length() <= LONGEST_FIELD) {
        kept[count++] = line;
      }
    }
    return List.of(Arrays.copyOf(kept, count));
  }
}
