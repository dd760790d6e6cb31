package dev.comporta.client.cli;

import dev.comporta.client.header.ResponseHead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a response as it is printed: a status line and the header. There may be several heads after
 * each other, of interim answers, proxies and redirects; the last one counts. A text after its
 * blank line is the body. Lines that are none of these are left out.
 */
final class HeadText {

  private static final String STATUS_LINE = "HTTP/";

  /** The status of a response that has no status line, or none that can be read. */
  private static final int NO_STATUS = 0;

  private final List<String> lines;
  private int status = NO_STATUS;
  private final Map<String, List<String>> headers = new LinkedHashMap<>();
  private Optional<List<String>> last = Optional.empty();
  private Optional<String> body = Optional.empty();

  private HeadText(List<String> lines) {
    this.lines = lines;
  }

  static ResponseHead parse(String text, Optional<String> host, Instant receivedAt) {
    HeadText head = new HeadText(text.lines().toList());
    head.read();
    return new ResponseHead(host, head.status, head.headers, receivedAt, head.body);
  }

  private void read() {
    int at = 0;
    while (at < lines.size()) {
      String line = lines.get(at);
      if (line.startsWith(STATUS_LINE)) {
        headers.clear();
        last = Optional.empty();
        status = status(line);
      } else if (isFolded(line)) {
        last.ifPresent(values -> unfold(values, line.strip()));
      } else if (!line.isEmpty()) {
        field(line);
      } else if (isBodyAfter(at)) {
        body = Optional.of(String.join("\n", lines.subList(at + 1, lines.size())));
        return;
      }
      at++;
    }
  }

  /** Whether a blank line ends the last head, and something follows. */
  private boolean isBodyAfter(int blank) {
    boolean hasHead = status != NO_STATUS || !headers.isEmpty();
    List<String> rest = lines.subList(blank + 1, lines.size());
    return hasHead
        && rest.stream().noneMatch(line -> line.startsWith(STATUS_LINE))
        && rest.stream().anyMatch(line -> !line.isBlank());
  }

  private void field(String line) {
    int colon = line.indexOf(':');
    last = Optional.empty();
    if (colon > 0) {
      List<String> values =
          headers.computeIfAbsent(line.substring(0, colon).strip(), absent -> new ArrayList<>());
      values.add(line.substring(colon + 1).strip());
      last = Optional.of(values);
    }
  }

  /** Goes on with the value of the line before (RFC 9112, section 5.2). */
  private static boolean isFolded(String line) {
    return line.startsWith(" ") || line.startsWith("\t");
  }

  private static void unfold(List<String> values, String more) {
    int at = values.size() - 1;
    values.set(at, (values.get(at) + " " + more).strip());
  }

  private static int status(String line) {
    String[] words = line.split(" +", 3);
    boolean isStatus = words.length > 1 && words[1].matches("[0-9]{3}");
    return isStatus ? Integer.parseInt(words[1]) : NO_STATUS;
  }
}
