package dev.comporta.client.header;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the values of a key in JSON, at whatever depth. It checks no syntax: what vendors put into
 * fields and refusals is short, and a text that is no JSON has no such key. Of one thread.
 */
final class JsonScan {

  /** Longer than any refusal that tells a wait; the rest is not read. */
  private static final int LONGEST_TEXT = 8 * 1024;

  private static final int MOST_VALUES = 64;

  private final String text;
  private final String wanted;
  private final List<String> values = new ArrayList<>();
  private boolean isUnderWanted;
  private int at;

  private JsonScan(String text, String wanted) {
    this.text = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
    this.wanted = wanted;
  }

  /** The strings and numbers under that key, also in a list under it, in their order. */
  static List<String> values(String json, String key) {
    JsonScan scan = new JsonScan(json, key);
    while (scan.at < scan.text.length() && scan.values.size() < MOST_VALUES) {
      scan.step();
    }
    return scan.values;
  }

  private void step() {
    char c = text.charAt(at);
    if (c == '"') {
      string();
    } else if (c == '-' || Character.isLetterOrDigit(c)) {
      int start = at;
      while (at < text.length() && isOfLiteral(text.charAt(at))) {
        at++;
      }
      value(text.substring(start, at));
    } else {
      isUnderWanted &= c != '}';
      at++;
    }
  }

  private void string() {
    int start = ++at;
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    Optional<String> string =
        at < text.length() ? Optional.of(text.substring(start, at)) : Optional.empty();
    at++;
    if (isKey()) {
      isUnderWanted = string.equals(Optional.of(wanted));
    } else {
      string.ifPresent(this::value);
    }
  }

  private void value(String value) {
    if (isUnderWanted) {
      values.add(value);
    }
  }

  private boolean isKey() {
    int next = at;
    while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
    return next < text.length() && text.charAt(next) == ':';
  }

  private static boolean isOfLiteral(char c) {
    return c == '-' || c == '+' || c == '.' || Character.isLetterOrDigit(c);
  }
}
