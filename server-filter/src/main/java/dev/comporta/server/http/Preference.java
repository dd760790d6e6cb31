package dev.comporta.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/*
 * How this works, and why. Accept and Accept-Language have one syntax: elements between commas, each
 * with parameters, one of which is its weight. It is read here, and by no library, because
 *
 * - Jakarta REST's getAcceptableMediaTypes() and MediaType.valueOf() throw on what they cannot read,
 *   differ from runtime to runtime, and need one, which a unit test has not;
 * - Locale.LanguageRange.parse() throws as well (on "-" an ArrayIndexOutOfBoundsException), gives up
 *   the whole value for one bad element, and with Locale.lookup() compiles patterns: 50 long ranges
 *   cost a quarter of a millisecond, on the very path that must be cheap under attack;
 * - RFC 9651 is stricter than senders are: Java's own HttpURLConnection sends "*; q=.2".
 *
 * Law: never an exception; at most MAX_CHARS characters are looked at, MAX_ELEMENTS elements, and
 * MAX_PARAMETERS of each. What is cut off, has no name, or a weight that is none, is passed over; the
 * rest counts.
 *
 * Source: RFC 9110, sections 5.6 and 12.4.2.
 */
/**
 * One thing that a caller would take, and how gladly.
 *
 * @param name a media range or a language range, in lower case; whether it is one is not checked
 * @param parameters those before the weight, in lower case, without quotation marks
 * @param thousandths the weight, 0 to 1000; 0 means that it would not take it
 */
record Preference(String name, List<String> parameters, int thousandths) {

  /** Browsers send less than a tenth of it. */
  static final int MAX_CHARS = 8_192;

  /** Five times what the longest honest list has. */
  static final int MAX_ELEMENTS = 50;

  /** Twice what the longest honest element has; what follows is passed over, a weight too. */
  static final int MAX_PARAMETERS = 16;

  private static final int FULL = 1_000;

  /** The elements of a header, in their order. */
  static List<Preference> listOf(CharSequence header) {
    List<Preference> preferences = new ArrayList<>();
    for (String element : elements(bounded(header))) {
      add(preferences, element);
    }
    return List.copyOf(preferences);
  }

  /* An element that is cut in the middle would say something else. */
  private static String bounded(CharSequence header) {
    if (header.length() <= MAX_CHARS) {
      return header.toString();
    }
    String start = header.subSequence(0, MAX_CHARS).toString();
    return start.substring(0, Math.max(0, start.lastIndexOf(',')));
  }

  private static List<String> elements(String header) {
    List<String> elements = new ArrayList<>();
    for (int at = 0; at < header.length() && elements.size() < MAX_ELEMENTS; at++) {
      int end = end(header, at, ',');
      String element = header.substring(at, end);
      if (!element.isBlank()) {
        elements.add(element);
      }
      at = end;
    }
    return elements;
  }

  private static void add(List<Preference> preferences, String element) {
    List<String> parts = parts(element);
    String name = parts.get(0).strip().toLowerCase(Locale.ROOT);
    List<String> parameters = new ArrayList<>();
    int thousandths = FULL;
    for (String part : parts.subList(1, parts.size())) {
      String parameter = parameter(part);
      if (parameter.startsWith("q=")) {
        String weight = parameter.substring("q=".length());
        if (!isWeight(weight)) {
          return;
        }
        thousandths = thousandths(weight);
        break;
      }
      if (!parameter.isEmpty()) {
        parameters.add(parameter);
      }
    }
    if (!name.isEmpty()) {
      preferences.add(new Preference(name, List.copyOf(parameters), thousandths));
    }
  }

  /** A parameter without what makes no difference: case, quotation marks, space around it. */
  private static String parameter(String part) {
    int equals = part.indexOf('=');
    if (equals < 0) {
      return part.strip().toLowerCase(Locale.ROOT);
    }
    String value = part.substring(equals + 1).strip();
    if (value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")) {
      value = value.substring(1, value.length() - 1);
    }
    return (part.substring(0, equals).strip() + "=" + value).toLowerCase(Locale.ROOT);
  }

  /** Whether that is a number from 0 to 1, with any count of digits after the point. */
  private static boolean isWeight(String text) {
    int point = text.indexOf('.');
    String whole = point < 0 ? text : text.substring(0, point);
    String fraction = point < 0 ? "" : text.substring(point + 1);
    if (whole.isEmpty() && fraction.isEmpty()) {
      return false;
    }
    boolean isOne = whole.equals("1");
    return (isOne || whole.equals("0") || whole.isEmpty())
        && fraction.chars().allMatch(c -> c >= '0' && c <= (isOne ? '0' : '9'));
  }

  private static int thousandths(String weight) {
    if (weight.startsWith("1")) {
      return FULL;
    }
    int thousandths = 0;
    int point = weight.indexOf('.');
    for (int place = 1; place <= 3; place++) {
      int at = point + place;
      boolean isWritten = point >= 0 && at < weight.length();
      thousandths = thousandths * 10 + (isWritten ? weight.charAt(at) - '0' : 0);
    }
    return thousandths;
  }

  /** The name, which may be empty, and what follows it. */
  private static List<String> parts(String element) {
    List<String> parts = new ArrayList<>();
    for (int at = 0; at < element.length() && parts.size() <= MAX_PARAMETERS; at++) {
      int end = end(element, at, ';');
      parts.add(element.substring(at, end));
      at = end;
    }
    return parts;
  }

  /** Where the next separator is that is in no quoted string, or else the end. */
  private static int end(String text, int from, char separator) {
    boolean isQuoted = false;
    for (int at = from; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        isQuoted = !isQuoted;
      } else if (c == '\\' && isQuoted) {
        at++;
      } else if (c == separator && !isQuoted) {
        return at;
      }
    }
    return text.length();
  }
}
