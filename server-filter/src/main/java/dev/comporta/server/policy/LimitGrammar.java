package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Estimate;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes {@code permits/window;name=value;…}. Every fault names the rule and the whole
 * text.
 */
final class LimitGrammar {

  private static final Pattern PERMITS_AND_SPAN =
      Pattern.compile("([0-9]{1,19})/([0-9]{1,19})(ms|s|m|h|d)");
  private static final Pattern PERMITS_AND_CALENDAR =
      Pattern.compile("([0-9]{1,19})/(day|week|month)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

  private static final String SHADOW = "shadow";
  private static final List<String> NAMES =
      List.of("algorithm", "burst", "by", "estimate", "segments", SHADOW, "zone");

  /** How many typing errors are still a guess at what was meant. */
  private static final int TYPING_ERRORS = 3;

  private final String text;
  private final Map<String, String> parameters = new LinkedHashMap<>();

  LimitGrammar(String text) {
    this.text = text;
  }

  /** The limit, counted that way where the text does not say otherwise. */
  LimitSpec read(Algorithm unlessSaid) {
    String[] parts = text.split(";", -1);
    String permitsAndWindow = parts[0].strip();
    Arrays.stream(parts).skip(1).map(String::strip).forEach(this::note);
    long permits = permits(permitsAndWindow);
    LimitWindow window = window(permitsAndWindow);
    Algorithm algorithm =
        constant("algorithm", Algorithm.class).orElseGet(() -> fitting(unlessSaid, window));
    By by = constant("by", By.class).orElse(By.CALLER);
    try {
      Counting counting =
          new Counting(
              algorithm,
              number("burst").orElse(permits),
              constant("estimate", Estimate.class).orElse(Estimate.EVEN),
              Math.toIntExact(Math.min(number("segments").orElse(1L), Integer.MAX_VALUE)));
      refuseWhatHasNoEffect(algorithm);
      return new LimitSpec(
          permits, window, counting, Audience.of(by), parameters.containsKey(SHADOW));
    } catch (IllegalArgumentException refused) {
      String message = String.valueOf(refused.getMessage());
      throw message.endsWith(quoted()) ? refused : fault(message, refused);
    }
  }

  /** The text of a limit, which reads as an equal one. */
  static String text(LimitSpec limit) {
    StringBuilder written = new StringBuilder();
    written.append(limit.permits()).append('/').append(limit.windowText());
    boolean isCalendar = limit.limitWindow() instanceof CalendarWindow;
    Algorithm unsaid = isCalendar ? Algorithm.FIXED_WINDOW : Algorithm.TOKEN_BUCKET;
    if (limit.algorithm() != unsaid) {
      written.append(";algorithm=").append(spelling(limit.algorithm()));
    }
    if (limit.burst() != limit.permits()) {
      written.append(";burst=").append(limit.burst());
    }
    if (limit.estimate() != Estimate.EVEN) {
      written.append(";estimate=").append(spelling(limit.estimate()));
    }
    if (limit.segments() != 1) {
      written.append(";segments=").append(limit.segments());
    }
    if (limit.limitWindow() instanceof CalendarWindow calendar
        && !calendar.zone().equals(ZoneOffset.UTC)) {
      written.append(";zone=").append(calendar.zone().getId());
    }
    if (limit.by() != By.CALLER) {
      written.append(";by=").append(spelling(limit.by()));
    }
    return limit.isShadow() ? written.append(";shadow").toString() : written.toString();
  }

  private void note(String parameter) {
    int equals = parameter.indexOf('=');
    String name = (equals < 0 ? parameter : parameter.substring(0, equals)).strip();
    String value = equals < 0 ? "" : parameter.substring(equals + 1).strip();
    if (!NAMES.contains(name)) {
      String nearest =
          NearestName.of(name, NAMES, TYPING_ERRORS)
              .map(known -> "; did you mean " + known + "?")
              .orElse("");
      throw fault("'" + name + "' is none of " + String.join(", ", NAMES) + nearest);
    }
    if (name.equals(SHADOW) && equals >= 0) {
      throw fault("shadow stands without a value, was '" + parameter + "'");
    }
    if (!name.equals(SHADOW) && value.isEmpty()) {
      throw fault(name + " needs a value, such as " + name + "=" + example(name));
    }
    if (parameters.put(name, value) != null) {
      throw fault(name + " must be stated once");
    }
  }

  private long permits(String permitsAndWindow) {
    Matcher span = PERMITS_AND_SPAN.matcher(permitsAndWindow);
    Matcher calendar = PERMITS_AND_CALENDAR.matcher(permitsAndWindow);
    if (!span.matches() && !calendar.matches()) {
      throw new IllegalArgumentException(
          "a limit is permits/window, such as 100/1m (units ms, s, m, h, d) or 1000/day (day, week,"
              + " month), was "
              + quoted());
    }
    long permits = saturated(span.matches() ? span.group(1) : calendar.group(1));
    if (permits < 1 || permits > LimitSpec.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be 1 to " + LimitSpec.MAX_PERMITS + ", was " + quoted());
    }
    return permits;
  }

  private LimitWindow window(String permitsAndWindow) {
    Matcher calendar = PERMITS_AND_CALENDAR.matcher(permitsAndWindow);
    if (calendar.matches()) {
      String unit = calendar.group(2).toUpperCase(Locale.ROOT);
      return new CalendarWindow(CalendarWindow.Unit.valueOf(unit), zone());
    }
    if (parameters.containsKey("zone")) {
      throw fault("zone is for the windows day, week and month only");
    }
    Matcher span = PERMITS_AND_SPAN.matcher(permitsAndWindow);
    if (!span.matches()) {
      throw new IllegalStateException("checked before: " + quoted());
    }
    long count = saturated(span.group(2));
    long unitMillis = SpanWindow.unitMillis(span.group(3));
    if (count < 1 || count > LimitSpec.MAX_WINDOW.toMillis() / unitMillis) {
      throw new IllegalArgumentException("window must be 1ms to 400d, was " + quoted());
    }
    return new SpanWindow(Duration.ofMillis(count * unitMillis));
  }

  private ZoneId zone() {
    String name = parameters.get("zone");
    if (name == null) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      String nearest =
          NearestName.of(name, ZoneId.getAvailableZoneIds(), TYPING_ERRORS)
              .map(known -> "; did you mean " + known + "?")
              .orElse("");
      throw fault(
          "zone must be a time zone, such as Europe/Lisbon, was '" + name + "'" + nearest, unknown);
    }
  }

  /**
   * A calendar window is never a token bucket, which is what a limit is if nobody says otherwise.
   */
  private static Algorithm fitting(Algorithm unlessSaid, LimitWindow window) {
    return window instanceof CalendarWindow && unlessSaid == Algorithm.TOKEN_BUCKET
        ? Algorithm.FIXED_WINDOW
        : unlessSaid;
  }

  /** Said with its default value, it would pass for what it is not. */
  private void refuseWhatHasNoEffect(Algorithm algorithm) {
    requireFor("burst", Algorithm.TOKEN_BUCKET, algorithm);
    requireFor("estimate", Algorithm.SLIDING_WINDOW_COUNTER, algorithm);
    requireFor("segments", Algorithm.SLIDING_WINDOW_COUNTER, algorithm);
  }

  private void requireFor(String name, Algorithm only, Algorithm algorithm) {
    if (parameters.containsKey(name) && algorithm != only) {
      throw fault(
          name + " is for " + only + " only, was " + parameters.get(name) + " with " + algorithm);
    }
  }

  private Optional<Long> number(String name) {
    String value = parameters.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!NUMBER.matcher(value).matches()) {
      throw fault(name + " must be a whole number, was '" + value + "'");
    }
    return Optional.of(saturated(value));
  }

  private <E extends Enum<E>> Optional<E> constant(String name, Class<E> type) {
    String value = parameters.get(name);
    if (value == null) {
      return Optional.empty();
    }
    List<E> constants = Arrays.asList(type.getEnumConstants());
    Optional<E> found =
        constants.stream()
            .filter(constant -> spelling(constant).equals(value.toLowerCase(Locale.ROOT)))
            .findFirst();
    if (found.isEmpty()) {
      List<String> known = constants.stream().map(LimitGrammar::spelling).toList();
      throw fault(name + " must be one of " + String.join(", ", known) + ", was '" + value + "'");
    }
    return found;
  }

  private static String spelling(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String example(String name) {
    return switch (name) {
      case "algorithm" -> spelling(Algorithm.SLIDING_WINDOW_LOG);
      case "by" -> spelling(By.ADDRESS);
      case "estimate" -> spelling(Estimate.OBSERVED);
      case "zone" -> "Europe/Lisbon";
      default -> "10";
    };
  }

  private String quoted() {
    return "'" + text + "'";
  }

  private IllegalArgumentException fault(String rule) {
    return new IllegalArgumentException(rule + " in " + quoted());
  }

  private IllegalArgumentException fault(String rule, Throwable cause) {
    return new IllegalArgumentException(rule + " in " + quoted(), cause);
  }

  private static long saturated(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException tooLarge) {
      return Long.MAX_VALUE;
    }
  }
}
