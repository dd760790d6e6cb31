package dev.comporta.server.caller;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One element of a {@code Forwarded} header, {@code for=192.0.2.60;proto=http} (RFC 7239, 4). */
final class ForwardedElement {

  private ForwardedElement() {}

  /** The value of its {@code for} parameter without quotes; nothing if there is not exactly one. */
  static Optional<String> client(String element) {
    Optional<String> client = Optional.empty();
    for (String pair : pairs(element)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        return Optional.empty();
      }
      if (pair.substring(0, equals).strip().equalsIgnoreCase("for")) {
        if (client.isPresent()) {
          return Optional.empty();
        }
        client = unquoted(pair.substring(equals + 1).strip());
        if (client.isEmpty()) {
          return Optional.empty();
        }
      }
    }
    return client;
  }

  private static List<String> pairs(String element) {
    List<String> pairs = new ArrayList<>();
    boolean isInQuotes = false;
    int start = 0;
    for (int at = 0; at < element.length(); at++) {
      char c = element.charAt(at);
      if (c == '\\' && isInQuotes) {
        at++;
      } else if (c == '"') {
        isInQuotes = !isInQuotes;
      } else if (c == ';' && !isInQuotes) {
        pairs.add(element.substring(start, at));
        start = at + 1;
      }
    }
    pairs.add(element.substring(start));
    pairs.removeIf(String::isBlank);
    return pairs;
  }

  private static Optional<String> unquoted(String value) {
    if (value.indexOf('"') < 0) {
      return Optional.of(value);
    }
    boolean isQuoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    if (!isQuoted) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder(value.length());
    for (int at = 1; at < value.length() - 1; at++) {
      if (value.charAt(at) == '\\' && at + 1 < value.length() - 1) {
        at++;
      }
      text.append(value.charAt(at));
    }
    return Optional.of(text.toString());
  }
}
