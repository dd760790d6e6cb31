package dev.comporta.client.header;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One field that tells whole windows, in the notation of a vendor.
 *
 * @param field the field; where it is a prefix, what follows it in a field's name names the window
 * @param labels unit and lengths of the windows, as the vendor's documents say them
 */
record ListWindows(Notation notation, FieldName field, NumberWindows.Labels labels)
    implements WindowForm {

  /** How a window is written. */
  enum Notation {
    /** {@code 32/40} or {@code api-usage=14990/15000}: used of limit. */
    USED_OF_LIMIT,
    /** {@code GetVM3Min;0}: name and remaining. */
    NAME_REMAINING,
    /** {@code 60:error;security:organization}: a wait in seconds, for what it is asked. */
    WAITS,
    /** The field's name goes on with the window's; its value is what remains. */
    REMAINING_BY_NAME,
    /** The field's name goes on with the window's: {@code total=100; remaining=99; resets=41}. */
    FIELDS_BY_NAME
  }

  @Override
  public List<Window> read(Reading reading) {
    List<Window> windows = new ArrayList<>();
    switch (notation) {
      case REMAINING_BY_NAME, FIELDS_BY_NAME -> addByName(windows, reading);
      case USED_OF_LIMIT, NAME_REMAINING, WAITS -> {
        String value = reading.header().joined(field).orElse("");
        for (String member : HeaderLines.members(value)) {
          member(member).flatMap(d -> d.window(reading.isError())).ifPresent(windows::add);
        }
      }
    }
    return windows;
  }

  private Optional<WindowDraft> member(String text) {
    return switch (notation) {
      case USED_OF_LIMIT -> usedOfLimit(text);
      case NAME_REMAINING -> nameRemaining(text);
      case WAITS -> wait(text);
      case REMAINING_BY_NAME, FIELDS_BY_NAME -> Optional.empty();
    };
  }

  private Optional<WindowDraft> usedOfLimit(String text) {
    int equals = text.indexOf('=');
    int slash = text.indexOf('/', equals + 1);
    int end = text.indexOf('(', slash + 1);
    if (slash < 0) {
      return Optional.empty();
    }
    String limit = text.substring(slash + 1, end < 0 ? text.length() : end);
    return Optional.of(
        new WindowDraft(labels.unit())
            .name(equals < 0 ? Optional.empty() : Optional.of(text.substring(0, equals)))
            .limit(count(limit))
            .used(count(text.substring(equals + 1, slash)))
            .length(labels.lengths().stream().findFirst()));
  }

  private Optional<WindowDraft> nameRemaining(String text) {
    int semicolon = text.lastIndexOf(';');
    return semicolon <= 0
        ? Optional.empty()
        : Optional.of(
            new WindowDraft(labels.unit())
                .name(Optional.of(text.substring(0, semicolon)))
                .remaining(count(text.substring(semicolon + 1))));
  }

  private Optional<WindowDraft> wait(String text) {
    String[] parts = text.split(":", 3);
    Optional<Duration> wait = Decimal.parse(parts[0]).map(number -> number.span(Decimal.SECOND));
    return wait.map(
        span ->
            new WindowDraft(labels.unit())
                .name(parts.length > 1 ? Optional.of(parts[1]) : Optional.empty())
                .retryAfter(span));
  }

  private void addByName(List<Window> windows, Reading reading) {
    HeaderLines header = reading.header();
    String prefix = field.name();
    for (int i = 0; i < header.size(); i++) {
      String name = header.name(i);
      if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
        // Part of the name of a field, which is the same in any case.
        String window = name.substring(prefix.length()).toLowerCase(Locale.ROOT);
        WindowDraft draft = new WindowDraft(labels.unit()).name(Optional.of(window));
        String value = header.joined(FieldName.of(name)).orElse("");
        if (notation == Notation.REMAINING_BY_NAME) {
          draft.remaining(count(value));
        } else {
          addFields(draft, value);
        }
        draft.window(reading.isError()).ifPresent(windows::add);
      }
    }
  }

  private static void addFields(WindowDraft draft, String value) {
    for (String part : value.split(";", -1)) {
      int equals = part.indexOf('=');
      String text = part.substring(equals + 1);
      switch (part.substring(0, Math.max(0, equals)).strip()) {
        case "total" -> draft.limit(count(text));
        case "remaining" -> draft.remaining(count(text));
        case "resets" ->
            draft.resetAfter(Decimal.parse(text.strip()).map(n -> n.span(Decimal.SECOND)));
        default -> {
          // What is not known is a comment.
        }
      }
    }
  }

  static OptionalLong count(String text) {
    return Decimal.parse(text.strip())
        .map(number -> OptionalLong.of(number.whole()))
        .orElse(OptionalLong.empty());
  }
}
