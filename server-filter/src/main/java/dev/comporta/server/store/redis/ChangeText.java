package dev.comporta.server.store.redis;

import dev.comporta.server.store.Change;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A change as the scripts keep it: when it was written, when it ends, and what it says. */
final class ChangeText {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,16}) (\\d{1,16}|-) (.*)", Pattern.DOTALL);

  private static final String NO_END = "-";

  /** In the year 2255. The numbers of Lua count by one up to there; as in {@code changes.lua}. */
  private static final long LATEST_MICROS = 9_000_000_000_000_000L;

  private ChangeText() {}

  static String of(Change change) {
    return change.writtenMicros() + " " + end(change.endsAtMicros()) + " " + change.text();
  }

  /** The change, if it is one. */
  static Optional<Change> parse(String value) {
    Matcher matcher = FORM.matcher(value);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long writtenMicros = Long.parseLong(matcher.group(1));
    OptionalLong ends = parseEnd(matcher.group(2));
    return writtenMicros <= LATEST_MICROS && ends.orElse(0) <= LATEST_MICROS
        ? Optional.of(new Change(matcher.group(3), writtenMicros, ends))
        : Optional.empty();
  }

  static String end(OptionalLong micros) {
    return micros.isPresent() ? Long.toString(micros.getAsLong()) : NO_END;
  }

  static OptionalLong parseEnd(String text) {
    return text.equals(NO_END) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }
}
