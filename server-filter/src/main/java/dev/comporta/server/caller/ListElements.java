package dev.comporta.server.caller;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/*
 * How this works, and why. The right end of such a list was written by the nearest proxy, the left
 * end by whoever wanted to. So it is read from the right, line by line, and a quotation mark that an
 * attacker leaves open on the left cannot swallow what a proxy has appended. Reading ends where the
 * text makes no sense, and after a bounded part of it: whatever is left of that is as good as absent.
 */
/** The elements of a list header from right to left, as far as they are worth reading. */
final class ListElements {

  /** Four times what the longest honest chain of proxies needs. */
  static final int MAX_ELEMENTS = 64;

  /** Room for that many, spelt out with ports and parameters. */
  static final int MAX_CHARS = 4_096;

  private final boolean hasQuotes;
  private final List<String> elements = new ArrayList<>();
  private int charsLeft = MAX_CHARS;
  private boolean isComplete;

  private ListElements(boolean hasQuotes) {
    this.hasQuotes = hasQuotes;
  }

  /**
   * The elements that are not empty, the last one first.
   *
   * @param lines the lines of the header in their order
   * @param hasQuotes whether quoted strings may hold commas
   */
  static ListElements fromRight(List<String> lines, boolean hasQuotes) {
    ListElements reading = new ListElements(hasQuotes);
    int line = lines.size() - 1;
    while (line >= 0 && !reading.isFull() && reading.addFromRight(lines.get(line))) {
      line--;
    }
    reading.isComplete = line < 0;
    return reading;
  }

  List<String> elements() {
    return Collections.unmodifiableList(elements);
  }

  /** Whether the header was read to its left end. */
  boolean isComplete() {
    return isComplete;
  }

  /** Whether the line was read to its left end. */
  private boolean addFromRight(String line) {
    int from = Math.max(0, line.length() - charsLeft);
    charsLeft -= line.length() - from + 1;
    boolean isInQuotes = false;
    int end = line.length();
    for (int at = end - 1; at >= from && elements.size() < MAX_ELEMENTS; at--) {
      char c = line.charAt(at);
      if (c == '"' && hasQuotes) {
        boolean isEscaped = isEscaped(line, at, from);
        if (isEscaped && !isInQuotes) {
          return false;
        }
        isInQuotes ^= !isEscaped;
      }
      if (c == ',' && !isInQuotes) {
        add(line.substring(at + 1, end));
        end = at;
      }
    }
    if (isInQuotes || from > 0 || elements.size() >= MAX_ELEMENTS) {
      return false;
    }
    add(line.substring(0, end));
    return true;
  }

  private static boolean isEscaped(String line, int quote, int from) {
    int at = quote - 1;
    while (at >= from && line.charAt(at) == '\\') {
      at--;
    }
    return (quote - 1 - at) % 2 == 1;
  }

  private void add(String element) {
    if (!element.isBlank() && elements.size() < MAX_ELEMENTS) {
      elements.add(element.strip());
    }
  }

  private boolean isFull() {
    return charsLeft <= 0 || elements.size() >= MAX_ELEMENTS;
  }
}
