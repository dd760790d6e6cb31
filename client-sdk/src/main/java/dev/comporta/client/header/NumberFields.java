package dev.comporta.client.header;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which fields tell the numbers of a window. Immutable.
 *
 * @param columns the fields of each role; a role without fields is not told
 * @param policies a field of policies that are named by their limit ({@code 100;w=60})
 */
record NumberFields(Map<Role, List<Column>> columns, Optional<FieldName> policies) {

  /** What a field tells. */
  enum Role {
    /** How many in all. */
    LIMIT,
    /** How many are left. */
    REMAINING,
    /** How many are used. */
    USED,
    /** When that ends. */
    RESET,
    /** How long the window is. */
    LENGTH,
    /** How many come back each second. */
    RATE
  }

  /**
   * A field, and how its numbers are meant.
   *
   * @param nanosPerUnit what one means; 0 where that is told by the magnitude
   */
  record Column(FieldName name, long nanosPerUnit) {}

  NumberFields {
    columns = new EnumMap<>(columns);
  }

  /** The fields that most servers use, with that prefix. */
  static NumberFields prefixed(String prefix) {
    Map<Role, List<Column>> columns = new EnumMap<>(Role.class);
    columns.put(Role.LIMIT, List.of(column(prefix + "Limit", 0)));
    columns.put(Role.REMAINING, List.of(column(prefix + "Remaining", 0)));
    columns.put(Role.USED, List.of(column(prefix + "Used", 0)));
    columns.put(
        Role.RESET,
        List.of(
            column(prefix + "Reset-After", Decimal.SECOND),
            column(prefix + "Reset", 0),
            column(prefix + "ResetTime", 0)));
    columns.put(Role.LENGTH, List.of(column(prefix + "Period", Decimal.SECOND)));
    return new NumberFields(columns, Optional.of(FieldName.of(prefix + "Policy")));
  }

  /** The first field of that role that the response has. */
  Optional<Column> told(Role role, HeaderLines header) {
    List<Column> known = columns.get(role);
    if (known != null) {
      for (Column column : known) {
        if (header.has(column.name())) {
          return Optional.of(column);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether the response has any of the fields. */
  boolean areTold(HeaderLines header) {
    for (List<Column> known : columns.values()) {
      for (int i = 0; i < known.size(); i++) {
        if (header.has(known.get(i).name())) {
          return true;
        }
      }
    }
    return false;
  }

  private static Column column(String name, long nanosPerUnit) {
    return new Column(FieldName.of(name), nanosPerUnit);
  }
}
