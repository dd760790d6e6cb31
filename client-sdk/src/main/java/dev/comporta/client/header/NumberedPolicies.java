package dev.comporta.client.header;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.greenbytes.http.sfv.Parametrizable;

/**
 * Policies that are named by their limit, as {@code 100;w=60, 1000;w=3600}: the {@code
 * RateLimit-Policy} of the IETF drafts up to version 7, and the tail of {@code RateLimit-Limit}
 * before version 4.
 */
record NumberedPolicies(List<Window> windows) {

  static NumberedPolicies of(String field) {
    List<Window> windows = new ArrayList<>();
    for (Parametrizable<?> member : StructuredFields.list(field)) {
      OptionalLong limit = StructuredFields.integer(member);
      Optional<Duration> length = length(member);
      if (limit.isPresent() && limit.getAsLong() >= 0 && length.isPresent()) {
        windows.add(
            new Window(
                StructuredFields.text(member, "name"),
                limit,
                OptionalLong.empty(),
                Optional.empty(),
                length));
      }
    }
    return new NumberedPolicies(List.copyOf(windows));
  }

  /** The window's length, which must be above 0. */
  static Optional<Duration> length(Parametrizable<?> member) {
    OptionalLong seconds = StructuredFields.count(member, "w", "window");
    return seconds.orElse(0) > 0 ? StructuredLimits.seconds(seconds) : Optional.empty();
  }

  /**
   * The window whose state is told, with the name and length of the policy of the same limit,
   * followed by the policies whose state is not told.
   */
  List<Window> completing(Window governing) {
    Optional<Window> policy =
        windows.stream().filter(p -> p.limit().equals(governing.limit())).findFirst();
    List<Window> all = new ArrayList<>();
    all.add(
        new Window(
            governing.name().or(() -> policy.flatMap(Window::name)),
            governing.limit(),
            governing.remaining(),
            governing.resetAfter(),
            governing.length().or(() -> policy.flatMap(Window::length)),
            governing.terms()));
    windows.stream().filter(window -> !policy.equals(Optional.of(window))).forEach(all::add);
    return all;
  }
}
