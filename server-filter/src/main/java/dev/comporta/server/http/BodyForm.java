package dev.comporta.server.http;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A form that the body of a refusal can have. The first that a caller likes best is sent. */
enum BodyForm {
  /** A small object of our own. Also for who accepts none of the three: there is always a body. */
  JSON("application/json", "application/json"),

  /** Problem details, RFC 9457. */
  PROBLEM("application/problem+json", "application/problem+json"),

  /** The sentence alone. */
  TEXT("text/plain", "text/plain;charset=UTF-8");

  private final String name;
  private final String mediaType;

  BodyForm(String name, String mediaType) {
    this.name = name;
    this.mediaType = mediaType;
  }

  /** What it is sent as. JSON is UTF-8 by definition, so no charset is named there. */
  String mediaType() {
    return mediaType;
  }

  /**
   * The form for that {@code Accept}: of those that it accepts, the one with the greatest weight;
   * among equals the one that it names more exactly; then JSON.
   *
   * <p>Source: RFC 9110, section 12.5.1.
   */
  static BodyForm chosenBy(Optional<String> accept) {
    List<Preference> ranges = accept.map(Preference::listOf).orElse(List.of());
    BodyForm best = JSON;
    Match bestMatch = JSON.match(ranges);
    for (BodyForm form : List.of(PROBLEM, TEXT)) {
      Match match = form.match(ranges);
      if (Match.BETTER.compare(match, bestMatch) > 0) {
        best = form;
        bestMatch = match;
      }
    }
    return best;
  }

  /** How near a range comes to a form. The nearest one tells the weight. */
  private enum Nearness {
    NOT_AT_ALL,
    ANYTHING,
    SAME_TYPE,
    NAME_WITH_MORE,
    NAME,
    NAME_AND_CHARSET
  }

  private record Match(int thousandths, Nearness nearness) {

    static final Match NONE = new Match(0, Nearness.NOT_AT_ALL);
    static final Comparator<Match> BETTER =
        Comparator.comparingInt(Match::thousandths).thenComparing(Match::nearness);

    boolean isNearerThan(Match other) {
      int compared = nearness.compareTo(other.nearness);
      return compared > 0 || (compared == 0 && thousandths > other.thousandths);
    }
  }

  private Match match(List<Preference> ranges) {
    Match nearest = Match.NONE;
    for (Preference range : ranges) {
      Match match = new Match(range.thousandths(), nearness(range));
      if (match.nearness() != Nearness.NOT_AT_ALL && match.isNearerThan(nearest)) {
        nearest = match;
      }
    }
    return nearest.thousandths() == 0 ? Match.NONE : nearest;
  }

  private Nearness nearness(Preference range) {
    String asked = range.name();
    if (asked.equals(name)) {
      return nearnessOfName(range);
    }
    if (asked.endsWith("/*") && name.startsWith(asked.substring(0, asked.length() - 1))) {
      return Nearness.SAME_TYPE;
    }
    return asked.equals("*/*") || asked.equals("*") ? Nearness.ANYTHING : Nearness.NOT_AT_ALL;
  }

  /*
   * A parameter that we do not make, such as a version or another charset, asks for something else,
   * strictly. To get the form without it is still nearer than to get another form. But who refuses
   * it with that parameter has not refused it without.
   */
  private static Nearness nearnessOfName(Preference range) {
    if (range.parameters().isEmpty()) {
      return Nearness.NAME;
    }
    if (range.parameters().equals(List.of("charset=utf-8"))) {
      return Nearness.NAME_AND_CHARSET;
    }
    return range.thousandths() == 0 ? Nearness.NOT_AT_ALL : Nearness.NAME_WITH_MORE;
  }
}
