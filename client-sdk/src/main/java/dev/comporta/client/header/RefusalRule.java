package dev.comporta.client.header;

import java.util.List;

/**
 * When a status turns a request away for the rate of requests.
 *
 * @param text what the body has to contain, with {@link Sign#BODY}
 */
record RefusalRule(int status, Sign sign, String text) {

  /** What has to come with the status. */
  enum Sign {
    /** Nothing: the status says it. */
    ALWAYS,
    /** A wait. */
    WAIT,
    /** A window with nothing left. */
    EXHAUSTED,
    /** A text in the body. */
    BODY
  }

  boolean applies(Reading reading, List<Window> windows) {
    return reading.status() == status
        && switch (sign) {
          case ALWAYS -> true;
          case WAIT -> reading.retryAfter().isPresent();
          case EXHAUSTED -> windows.stream().anyMatch(Window::isExhausted);
          case BODY -> reading.body().filter(body -> body.contains(text)).isPresent();
        };
  }
}
