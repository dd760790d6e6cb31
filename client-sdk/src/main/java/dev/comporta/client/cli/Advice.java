package dev.comporta.client.cli;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.ResponseHead;
import dev.comporta.client.header.Window;
import dev.comporta.client.retry.Attempt;
import dev.comporta.client.retry.RetryDecision;
import dev.comporta.client.retry.RetryDecision.Stop;
import dev.comporta.client.retry.RetryRules;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** What a client with the default options does after a response, in words. */
final class Advice {

  private static final int FIRST_ERROR = 400;
  private static final int FIRST_SERVER_ERROR = 500;
  private static final Duration MAX_WAIT = Options.defaults().maxWait();
  private static final RetryRules RULES =
      new RetryRules(Options.defaults().maxAttempts(), MAX_WAIT);

  private final ResponseHead head;
  private final RateLimitSnapshot snapshot;

  private Advice(ResponseHead head, RateLimitSnapshot snapshot) {
    this.head = head;
    this.snapshot = snapshot;
  }

  static String of(ResponseHead head, RateLimitSnapshot snapshot) {
    return new Advice(head, snapshot).words();
  }

  /** An instant so much later, or the last one that there is. */
  static Instant after(Instant instant, Duration span) {
    try {
      return instant.plus(span);
    } catch (DateTimeException | ArithmeticException beyond) {
      return Instant.MAX;
    }
  }

  private String words() {
    // The least random part: what the client waits at any rate.
    RetryDecision decision = RULES.decide(new Attempt("GET", true, 1, head.status()), snapshot, 0);
    if (decision instanceof RetryDecision.RetryAfter retry) {
      return retried(retry.delay());
    }
    return switch (((Stop) decision).reason()) {
      case WAIT_TOO_LONG -> tooLong(snapshot.waitHint().orElse(Duration.ZERO));
      case FORBIDDEN ->
          "Refused, and the server says that it must not be sent again:"
              + " hand the response to the caller at once.";
      case NOT_REFUSED -> notRefused();
      case NOT_SAFE, NOT_REPEATABLE, ATTEMPTS_EXHAUSTED, BUDGET_EXHAUSTED ->
          "Refused: hand the response to the caller at once.";
    };
  }

  private String retried(Duration delay) {
    String whom =
        head.status() >= FIRST_SERVER_ERROR
            ? "if its method is idempotent"
            : "if its entity can be sent again";
    String why = snapshot.waitHint().isPresent() ? "" : ", which is its own choice as none is told";
    return "Refused: wait at least %s%s, then send the request again %s."
        .formatted(inWords(delay), why, whom);
  }

  private String tooLong(Duration hint) {
    return ("Refused until %s, which is %s away and longer than a call may wait (%s by default):"
            + " do not wait, hand the response to the caller at once with that time.")
        .formatted(after(head.receivedAt(), hint), inWords(hint), inWords(MAX_WAIT));
  }

  private String notRefused() {
    Optional<Window> spent =
        Stream.concat(snapshot.windows().stream(), snapshot.otherWindows().stream())
            .filter(Window::isExhausted)
            .max(Comparator.comparing(window -> window.resetAfter().orElse(Duration.ZERO)));
    if (spent.isPresent()) {
      return standing() + "Nothing is left%s: %s".formatted(name(spent.get()), spent(spent.get()));
    }
    Optional<Window> tightest = snapshot.tightest().filter(w -> w.remaining().isPresent());
    return standing() + tightest.map(this::going).orElseGet(this::untold);
  }

  private String spent(Window window) {
    if (window.resetAfter().isEmpty()) {
      return "when that changes is not told; send the next request after a rest, and learn from it.";
    }
    Duration reset = window.resetAfter().get();
    String until = "%s (%s)".formatted(after(head.receivedAt(), reset), inWords(reset));
    return reset.compareTo(MAX_WAIT) > 0
        ? "do not send the next request before %s; a call that may not wait so long fails at once."
            .formatted(until)
        : "hold the next request back until %s.".formatted(until);
  }

  private String going(Window window) {
    String until =
        window.resetAfter().map(reset -> " until " + after(head.receivedAt(), reset)).orElse("");
    return "Go on: %d%s left%s%s. Pace so that they suffice."
        .formatted(
            window.remaining().orElse(0),
            window.limit().isPresent() ? " of " + window.limit().getAsLong() : "",
            name(window),
            until);
  }

  private String untold() {
    return snapshot.windows().isEmpty() && snapshot.otherWindows().isEmpty()
        ? "It tells no quota: go on unpaced."
        : "It does not tell what is left: go on, and slow down when refused.";
  }

  /** What becomes of this response. */
  private String standing() {
    String asked =
        snapshot
            .retryAfter()
            .map(
                wait ->
                    " It asks to wait %s, which is for the caller to heed."
                        .formatted(inWords(wait)))
            .orElse("");
    return head.status() >= FIRST_ERROR
        ? "Not refused for its rate: hand the response to the caller, do not send it again."
            + asked
            + " "
        : asked.isEmpty() ? "" : "Answered: do not send it again." + asked + " ";
  }

  private static String name(Window window) {
    return window.policyName().map(name -> " in \"%s\"".formatted(name)).orElse("");
  }

  /** Such as {@code 1 h 30 min}; the two largest units. */
  private static String inWords(Duration span) {
    StringJoiner words = new StringJoiner(" ");
    if (span.toMinutes() == 0) {
      double seconds = span.toMillis() / 1000.0;
      return (seconds == Math.rint(seconds) ? "%.0f s" : "%.3f s").formatted(seconds);
    }
    if (span.toDays() > 0) {
      words.add(span.toDays() + " d");
    }
    if (span.toHoursPart() > 0) {
      words.add(span.toHoursPart() + " h");
    }
    if (span.toDays() == 0 && span.toMinutesPart() > 0) {
      words.add(span.toMinutesPart() + " min");
    }
    if (span.toHours() == 0 && span.toSecondsPart() > 0) {
      words.add(span.toSecondsPart() + " s");
    }
    return words.toString();
  }
}
