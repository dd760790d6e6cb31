package dev.comporta.server.observe;

import java.util.Locale;

/** What became of a request, as the label {@code outcome} tells it. */
enum Outcome {
  ALLOWED("it passed"),
  REFUSED("it was refused"),
  SHADOW_REFUSED("it passed, and a limit in shadow mode would have refused it"),
  BARRED("it was refused for who sent it: a caller who is blocked, or cannot be told"),
  UNAVAILABLE("the store could not decide, and it was answered with 503"),
  UNCHECKED("the store could not decide, and it passed"),
  SHADOW_UNASKED(
      "it was decided without a limit in shadow mode: code of the application that the limit needs"
          + " has thrown");

  private final String meaning;

  Outcome(String meaning) {
    this.meaning = meaning;
  }

  /** The value of the label. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it says. */
  String meaning() {
    return meaning;
  }
}
