package dev.comporta.example;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Requests that were sent as fast as they could be, and how long that took.
 *
 * <p>A weighted window of a minute starts anew with each minute of the clock. Requests on both
 * sides of that edge may rightly be one or two more than the limit, so exact counts are for
 * requests within one minute.
 *
 * @param answers in the order of sending
 * @param took from before the first to after the last
 * @param crossesMinute whether a minute of the clock ended meanwhile
 */
record QuickRequests(List<HttpResponse<String>> answers, Duration took, boolean crossesMinute) {

  /** Sends, and looks at the clock before and after. */
  static QuickRequests of(Supplier<List<HttpResponse<String>>> sending) {
    Instant start = Instant.now();
    List<HttpResponse<String>> answers = sending.get();
    Instant end = Instant.now();
    return new QuickRequests(
        answers,
        Duration.between(start, end),
        start.getEpochSecond() / 60 != end.getEpochSecond() / 60);
  }

  /** The first of two tries that lies within one minute; each is given a caller of its own. */
  static List<HttpResponse<String>> withinOneMinute(
      Function<String, List<HttpResponse<String>>> sending, String key, String spareKey) {
    QuickRequests first = of(() -> sending.apply(key));
    return first.crossesMinute() ? of(() -> sending.apply(spareKey)).answers() : first.answers();
  }

  /**
   * The most that a limit of that many a minute admits while these were sent: each second that
   * passes may bring back a sixtieth.
   */
  long mostAdmitted(int limit) {
    boolean isExact = !crossesMinute;
    return isExact ? limit : limit + 1 + limit * took.plusSeconds(1).toSeconds() / 60;
  }

  /** How many had that status. */
  long count(int status) {
    return Answers.count(status, answers);
  }
}
