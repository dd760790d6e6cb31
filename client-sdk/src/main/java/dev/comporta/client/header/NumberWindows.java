package dev.comporta.client.header;

import dev.comporta.client.header.NumberFields.Column;
import dev.comporta.client.header.NumberFields.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A field for each number of a window: limit, remaining, reset. Lists and repeated lines in them
 * are several windows, matched by position; a limit may carry its window ({@code 100;w=60}), and
 * policies may follow it ({@code 10, 10;w=1, 1000;w=3600}).
 */
record NumberWindows(NumberFields fields, Labels labels) implements WindowForm {

  /**
   * What the vendor's documents say and the response does not.
   *
   * @param names of the windows, by position; empty when they have none
   * @param lengths of the windows, by position; empty when they are not documented
   * @param isAligned whether windows begin at whole multiples of their length since 1970, in UTC
   */
  record Labels(String unit, List<String> names, List<Duration> lengths, boolean isAligned) {

    static final Labels NONE =
        new Labels(Window.Terms.REQUESTS.unit(), List.of(), List.of(), false);
  }

  /** The values of a response, by position. */
  private record Values(
      List<Figure> limits,
      List<Figure> remainders,
      List<Figure> used,
      List<Optional<Duration>> resets) {

    int count() {
      return Math.max(limits.size(), Math.max(remainders.size(), used.size()));
    }
  }

  @Override
  public List<Window> read(Reading reading) {
    if (!fields.areTold(reading.header())) {
      return List.of();
    }
    List<Figure> limits = figures(Role.LIMIT, reading);
    boolean hasPolicies = isFollowedByPolicies(limits);
    Values values =
        new Values(
            hasPolicies ? limits.subList(0, 1) : limits,
            figures(Role.REMAINING, reading),
            figures(Role.USED, reading),
            resets(reading));
    List<Window> windows = new ArrayList<>(2);
    int count = Math.max(values.count(), isToldOtherwise(values, reading) ? 1 : 0);
    for (int i = 0; i < count; i++) {
      draft(values, i, reading).window(reading.isError()).ifPresent(windows::add);
    }
    return windows.size() == 1 ? completed(windows, hasPolicies, reading) : windows;
  }

  private WindowDraft draft(Values values, int i, Reading reading) {
    OptionalLong limit = value(values.limits, i);
    Optional<Duration> length =
        at(values.limits, i).or(() -> at(values.remainders, i)).flatMap(Figure::length);
    if (length.isEmpty()) {
      length = at(labels.lengths, i).or(() -> span(Role.LENGTH, reading));
    }
    WindowDraft draft =
        new WindowDraft(labels.unit)
            .name(at(labels.names, i))
            .limit(limit)
            .remaining(value(values.remainders, i))
            .used(value(values.used, i))
            .length(length)
            .ratePerSecond(rate(reading))
            .resetAfter(i < values.resets.size() ? values.resets.get(i) : Optional.empty());
    if (labels.isAligned && length.isPresent()) {
      draft.scheduledReset(untilEdge(length.get(), reading.header().serverTime()));
    }
    return draft;
  }

  /** Whether a window that tells no number tells something else; only named windows may. */
  private boolean isToldOtherwise(Values values, Reading reading) {
    boolean isReset = !labels.names.isEmpty() && !values.resets.isEmpty();
    return isReset || rate(reading).isPresent();
  }

  private List<Window> completed(List<Window> only, boolean hasPolicies, Reading reading) {
    Optional<FieldName> field =
        hasPolicies
            ? fields.told(Role.LIMIT, reading.header()).map(Column::name)
            : fields.policies();
    Optional<String> policies = field.flatMap(reading.header()::joined);
    return policies.isEmpty() ? only : NumberedPolicies.of(policies.get()).completing(only.get(0));
  }

  private List<Figure> figures(Role role, Reading reading) {
    return fields
        .told(role, reading.header())
        .flatMap(column -> reading.header().joined(column.name()))
        .map(Figure::all)
        .orElse(List.of());
  }

  private OptionalDouble rate(Reading reading) {
    return fields
        .told(Role.RATE, reading.header())
        .flatMap(column -> reading.header().first(column.name()))
        .flatMap(Decimal::parse)
        .map(rate -> OptionalDouble.of(rate.toDouble()))
        .orElse(OptionalDouble.empty());
  }

  private Optional<Duration> span(Role role, Reading reading) {
    return fields
        .told(role, reading.header())
        .flatMap(
            column ->
                reading
                    .header()
                    .first(column.name())
                    .flatMap(Decimal::parse)
                    .map(number -> number.span(column.nanosPerUnit())));
  }

  private List<Optional<Duration>> resets(Reading reading) {
    Optional<Column> column = fields.told(Role.RESET, reading.header());
    if (column.isEmpty()) {
      return List.of();
    }
    List<String> lines = reading.header().of(column.get().name());
    List<Optional<Duration>> resets = new ArrayList<>(lines.size());
    for (String line : lines) {
      Optional<Duration> whole = reset(line, column.get(), reading);
      if (whole.isPresent() || line.indexOf(',') < 0) {
        resets.add(whole);
      } else {
        for (String part : HeaderLines.members(line)) {
          resets.add(reset(part, column.get(), reading));
        }
      }
    }
    return resets;
  }

  private static Optional<Duration> reset(String text, Column column, Reading reading) {
    if (column.nanosPerUnit() == 0) {
      return ResetHeader.resetAfter(text, reading);
    }
    return Decimal.parse(text).map(number -> number.span(column.nanosPerUnit()));
  }

  private static boolean isFollowedByPolicies(List<Figure> limits) {
    return limits.size() > 1
        && limits.get(0).length().isEmpty()
        && limits.stream().skip(1).allMatch(figure -> figure.length().isPresent());
  }

  private static Duration untilEdge(Duration length, Instant now) {
    long seconds = Math.max(1, length.toSeconds());
    Instant edge = Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), seconds) * seconds);
    return Duration.between(now, edge.plusSeconds(seconds));
  }

  private static OptionalLong value(List<Figure> figures, int index) {
    return index < figures.size() ? figures.get(index).value() : OptionalLong.empty();
  }

  private static <T> Optional<T> at(List<T> list, int index) {
    return index < list.size() ? Optional.of(list.get(index)) : Optional.empty();
  }
}
