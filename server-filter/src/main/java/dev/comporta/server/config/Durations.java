package dev.comporta.server.config;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as settings write them: {@code 50ms}, {@code 30s}. */
final class Durations {

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
  private static final Map<String, Long> UNIT_MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private Durations() {}

  /** The duration, if the text is one. */
  static Optional<Duration> parse(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long unit = Objects.requireNonNull(UNIT_MILLIS.get(matcher.group(2)));
    return Optional.of(Duration.ofMillis(Long.parseLong(matcher.group(1)) * unit));
  }
}
