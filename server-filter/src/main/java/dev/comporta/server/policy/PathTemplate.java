package dev.comporta.server.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * The template of a path in one form, whichever way it is spelt.
 *
 * @param segments its segments, without the regular expressions of parameters
 * @param coversBelow whether it stands for all that is below as well
 */
record PathTemplate(List<String> segments, boolean coversBelow) {

  /**
   * Reads {@code /books/{id}} or {@code /internal/*}.
   *
   * @throws IllegalArgumentException if it is neither; the message names the rule and the value
   */
  static PathTemplate parse(String text) {
    List<String> segments = segments(text);
    boolean coversBelow = !segments.isEmpty() && segments.get(segments.size() - 1).equals("*");
    List<String> plain = coversBelow ? segments.subList(0, segments.size() - 1) : segments;
    String wrong = String.join("/", plain).replaceAll("\\{[^{}]*}", "");
    if (wrong.matches("(?s).*[*{}?#\\s].*")) {
      throw new IllegalArgumentException(
          "must be a path as @Path writes it, such as /books/{id}, or /internal/* for all below,"
              + (" was '" + text + "'"));
    }
    if (coversBelow && plain.isEmpty()) {
      throw new IllegalArgumentException(
          "must not be all paths (comporta.mode=off limits nothing), was '" + text + "'");
    }
    return new PathTemplate(List.copyOf(plain), coversBelow);
  }

  /** The segments of a path: slashes inside braces belong to a regular expression. */
  static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    StringBuilder segment = new StringBuilder();
    int depth = 0;
    for (int at = 0; at < path.length(); at++) {
      char c = path.charAt(at);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == '/' && depth <= 0) {
        add(segments, segment);
      } else {
        segment.append(c);
      }
    }
    add(segments, segment);
    return List.copyOf(segments);
  }

  /** Whether a resource with these segments is meant. */
  boolean covers(List<String> path) {
    return coversBelow
        ? path.size() >= segments.size() && path.subList(0, segments.size()).equals(segments)
        : path.equals(segments);
  }

  /** As it would be set. */
  @Override
  public String toString() {
    return "/" + String.join("/", segments) + (coversBelow ? "/*" : "");
  }

  private static void add(List<String> segments, StringBuilder segment) {
    if (!segment.toString().isBlank()) {
      segments.add(withoutExpressions(segment.toString().strip()));
    }
    segment.setLength(0);
  }

  /** {@code {id: \d{1,3}}} is {@code {id}}; what is not balanced stays as it is. */
  private static String withoutExpressions(String segment) {
    StringBuilder plain = new StringBuilder();
    int depth = 0;
    boolean isName = true;
    for (int at = 0; at < segment.length(); at++) {
      char c = segment.charAt(at);
      boolean opens = c == '{';
      boolean closes = c == '}';
      depth += opens ? 1 : closes ? -1 : 0;
      boolean isOuterBrace = (opens && depth == 1) || (closes && depth == 0);
      isName = isOuterBrace || (isName && !(depth == 1 && c == ':'));
      boolean isBlankInName = depth > 0 && Character.isWhitespace(c);
      if (isOuterBrace || depth <= 0 || (isName && !isBlankInName)) {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
