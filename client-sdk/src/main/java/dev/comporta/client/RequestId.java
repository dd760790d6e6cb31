package dev.comporta.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The id that a server gives a request, by which its operators find it. */
final class RequestId {

  private static final List<String> NAMES =
      List.of("x-request-id", "request-id", "x-github-request-id", "x-amzn-requestid", "cf-ray");

  /** Longer than any id; it may come into a log. */
  private static final int LONGEST = 128;

  private RequestId() {}

  static Optional<String> of(Map<String, List<String>> headers) {
    for (String name : NAMES) {
      for (var header : headers.entrySet()) {
        if (name.equalsIgnoreCase(header.getKey()) && !header.getValue().isEmpty()) {
          return Optional.ofNullable(header.getValue().get(0)).filter(RequestId::isPlain);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isPlain(String id) {
    return !id.isBlank()
        && id.length() <= LONGEST
        && id.chars().allMatch(character -> character > ' ' && character < 127);
  }
}
