package dev.comporta.client.pacing;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.Window;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Answers as a server of the tests gives them. */
final class Answers {

  private Answers() {}

  static Window window(String name, long limit, long lengthSeconds, long remaining, long reset) {
    return new Window(
        Optional.of(name),
        OptionalLong.of(limit),
        OptionalLong.of(remaining),
        Optional.of(Duration.ofSeconds(reset)),
        Optional.of(Duration.ofSeconds(lengthSeconds)));
  }

  static Answer admitted(Window... windows) {
    return new Answer(snapshot(Optional.empty(), windows), false);
  }

  static Answer refused(Duration retryAfter, Window... windows) {
    return new Answer(snapshot(Optional.of(retryAfter), windows), true);
  }

  static Answer refused(Window... windows) {
    return new Answer(snapshot(Optional.empty(), windows), true);
  }

  private static RateLimitSnapshot snapshot(Optional<Duration> retryAfter, Window... windows) {
    return new RateLimitSnapshot(
        List.of(windows), retryAfter, List.of(windows).stream().findFirst().flatMap(Window::name));
  }
}
