package dev.comporta.server.observe;

/** Path templates of Jakarta REST and of OpenAPI, in one spelling, so that they can be compared. */
final class PathTemplate {

  private PathTemplate() {}

  /**
   * The same text for templates that stand for the same paths: {@code books/{isbn: [0-9]{13}}/} and
   * {@code /books/{id}} are both {@code /books/{}}.
   */
  static String canonical(String template) {
    StringBuilder canonical = new StringBuilder("/");
    int depth = 0;
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if (c == '}') {
        depth = Math.max(0, depth - 1);
      }
      boolean isDoubled = c == '/' && canonical.charAt(canonical.length() - 1) == '/';
      boolean isEdge = depth == 0 && !isDoubled;
      if (isEdge) {
        canonical.append(c);
      }
      if (c == '{') {
        depth++;
      }
    }
    int length = canonical.length();
    return length > 1 && canonical.charAt(length - 1) == '/'
        ? canonical.substring(0, length - 1)
        : canonical.toString();
  }

  /** The second below the first. */
  static String join(String parent, String child) {
    return canonical(parent + "/" + child);
  }
}
