package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A limit as configuration writes it, {@code 100/1m;by=address}, before it is known how the limits
 * of its policy count. What it states itself stands; the rest is given when it is read.
 *
 * @param place the setting that holds it, for messages
 * @param text the limit, in the grammar of {@link LimitSpec}
 */
public record LimitText(String place, String text) {

  private static final Set<String> CALENDAR = Set.of("day", "week", "month");

  /** Strips the text. */
  public LimitText {
    text = text.strip();
  }

  /**
   * A text that is a limit with some algorithm: which one it will be may depend on the annotation.
   *
   * @throws IllegalArgumentException if it is none with any; the message names the rule and value
   */
  public static LimitText checked(String place, String text) {
    LimitText limit = new LimitText(place, text);
    try {
      LimitSpec.parse(limit.text);
    } catch (IllegalArgumentException refused) {
      if (limit.statesAlgorithm() || !limit.isLimitWithSomeAlgorithm()) {
        throw refused;
      }
    }
    return limit;
  }

  /** Whether the text has that parameter. */
  public boolean states(String parameter) {
    return parametersOf(text).contains(parameter);
  }

  /** Whether the text itself says how it counts; a calendar window does. */
  public boolean statesAlgorithm() {
    return states("algorithm") || isCalendar(text);
  }

  /**
   * The limit.
   *
   * @param algorithm how it counts unless it says so itself
   * @param whom for whom it counts unless it says so itself
   * @param zone that of a calendar window which names none
   * @throws IllegalArgumentException if it cannot count so; the message names the rule and value
   */
  LimitSpec spec(Algorithm algorithm, CountedFor whom, ZoneId zone) {
    String whole = withZone(text, zone);
    LimitSpec spec = statesAlgorithm() ? LimitSpec.parse(whole) : LimitSpec.parse(whole, algorithm);
    return states("by") ? spec : whom.applyTo(spec);
  }

  /** The names of the parameters in a text, whether or not there are such parameters. */
  static Set<String> parametersOf(String text) {
    return Arrays.stream(text.split(";", -1))
        .skip(1)
        .map(parameter -> parameter.split("=", 2)[0].strip().toLowerCase(Locale.ROOT))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The text, with a zone if it has a calendar window without one; UTC needs no words. */
  static String withZone(String text, ZoneId zone) {
    boolean isSilent = isCalendar(text) && !parametersOf(text).contains("zone");
    return isSilent && !zone.equals(ZoneOffset.UTC) ? text.strip() + ";zone=" + zone.getId() : text;
  }

  private boolean isLimitWithSomeAlgorithm() {
    return Arrays.stream(Algorithm.values()).anyMatch(this::isLimitWith);
  }

  private boolean isLimitWith(Algorithm algorithm) {
    try {
      LimitSpec.parse(text, algorithm);
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private static boolean isCalendar(String text) {
    String window = text.split(";", 2)[0];
    return CALENDAR.contains(window.substring(window.indexOf('/') + 1).strip());
  }
}
