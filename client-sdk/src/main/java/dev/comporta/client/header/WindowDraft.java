package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A window while it is being read. What servers send is put right here: -1 for what is not known,
 * more left than there is, a length of nothing. Of one thread.
 */
final class WindowDraft {

  private final String unit;
  private Optional<String> name = Optional.empty();
  private OptionalLong limit = OptionalLong.empty();
  private OptionalLong remaining = OptionalLong.empty();
  private OptionalLong used = OptionalLong.empty();
  private Optional<Duration> resetAfter = Optional.empty();
  private Optional<Duration> length = Optional.empty();
  private OptionalDouble ratePerSecond = OptionalDouble.empty();
  private Optional<Duration> retryAfter = Optional.empty();
  private boolean isResetScheduled;

  WindowDraft(String unit) {
    this.unit = unit;
  }

  WindowDraft name(Optional<String> told) {
    name = told;
    return this;
  }

  WindowDraft limit(OptionalLong told) {
    limit = told;
    return this;
  }

  WindowDraft remaining(OptionalLong told) {
    remaining = told;
    return this;
  }

  WindowDraft used(OptionalLong told) {
    used = told;
    return this;
  }

  WindowDraft resetAfter(Optional<Duration> told) {
    resetAfter = told;
    return this;
  }

  WindowDraft scheduledReset(Duration known) {
    resetAfter = Optional.of(known);
    isResetScheduled = true;
    return this;
  }

  WindowDraft length(Optional<Duration> told) {
    length = told.filter(span -> !span.isZero());
    return this;
  }

  WindowDraft ratePerSecond(OptionalDouble told) {
    boolean isRate = told.orElse(0) > 0;
    ratePerSecond = isRate ? told : OptionalDouble.empty();
    return this;
  }

  WindowDraft retryAfter(Duration told) {
    retryAfter = Optional.of(told);
    return this;
  }

  /**
   * The window; empty when nothing of it is known.
   *
   * @param isError whether less than 0 remaining means 0: a server that refuses may count on. On a
   *     success it means that the server does not know
   */
  Optional<Window> window(boolean isError) {
    boolean isLimitUnknown = limit.orElse(0) < 0;
    OptionalLong knownLimit = isLimitUnknown ? OptionalLong.empty() : limit;
    OptionalLong left = left(knownLimit, isError && !isLimitUnknown);
    if (knownLimit.isEmpty() && left.isPresent() && used.orElse(-1) >= 0) {
      knownLimit = OptionalLong.of(sum(left.getAsLong(), used.getAsLong()));
    }
    boolean isCounted = knownLimit.isPresent() || left.isPresent();
    boolean isGarbled = !isCounted && (limit.isPresent() || remaining.isPresent());
    boolean tellsElse = ratePerSecond.isPresent() || retryAfter.isPresent();
    if (isGarbled || !(isCounted || tellsElse || resetAfter.isPresent())) {
      return Optional.empty();
    }
    return Optional.of(new Window(name, knownLimit, left, resetAfter, length, terms()));
  }

  private Window.Terms terms() {
    boolean isPlain = ratePerSecond.isEmpty() && retryAfter.isEmpty() && !isResetScheduled;
    return isPlain && unit.equals(Window.Terms.REQUESTS.unit())
        ? Window.Terms.REQUESTS
        : new Window.Terms(unit, ratePerSecond, retryAfter, isResetScheduled, Optional.empty());
  }

  private OptionalLong left(OptionalLong knownLimit, boolean isNegativeZero) {
    if (remaining.isEmpty() && knownLimit.isPresent() && used.orElse(-1) >= 0) {
      return OptionalLong.of(Math.max(0, knownLimit.getAsLong() - used.getAsLong()));
    }
    if (remaining.orElse(0) < 0) {
      return isNegativeZero ? OptionalLong.of(0) : OptionalLong.empty();
    }
    return remaining.isPresent()
        ? OptionalLong.of(Math.min(remaining.getAsLong(), knownLimit.orElse(Long.MAX_VALUE)))
        : remaining;
  }

  private static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
