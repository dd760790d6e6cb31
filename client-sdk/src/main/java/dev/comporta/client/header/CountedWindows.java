package dev.comporta.client.header;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Two lists of counts and seconds, such as {@code 20:1,100:120}: what is granted in which time, and
 * what is used in which time. They are matched by the time.
 */
record CountedWindows(FieldName limits, FieldName used, NumberWindows.Labels labels)
    implements WindowForm {

  private record Count(OptionalLong count, Optional<Duration> length) {}

  @Override
  public List<Window> read(Reading reading) {
    List<Count> spent = counts(reading, used);
    List<Window> windows = new ArrayList<>();
    for (Count limit : counts(reading, limits)) {
      OptionalLong use =
          spent.stream()
              .filter(count -> count.length().equals(limit.length()))
              .map(Count::count)
              .findFirst()
              .orElse(OptionalLong.empty());
      new WindowDraft(labels.unit())
          .name(labels.names().stream().findFirst())
          .limit(limit.count())
          .used(use)
          .length(limit.length())
          .window(reading.isError())
          .ifPresent(windows::add);
    }
    return windows;
  }

  private static List<Count> counts(Reading reading, FieldName field) {
    List<Count> counts = new ArrayList<>();
    for (String member : HeaderLines.members(reading.header().joined(field).orElse(""))) {
      int colon = member.indexOf(':');
      if (colon > 0) {
        counts.add(
            new Count(
                ListWindows.count(member.substring(0, colon)),
                Decimal.parse(member.substring(colon + 1).strip())
                    .map(number -> number.span(Decimal.SECOND))));
      }
    }
    return counts;
  }
}
