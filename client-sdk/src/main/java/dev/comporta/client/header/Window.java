package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One window of a rate limit as a response tells it: how much it grants, how much is left, when
 * that ends. What the response does not tell is empty; zero is a value, not an absence. Immutable.
 *
 * @param name the policy's name, with its partition key appended where there is one ({@code
 *     u;pk=:YQ==:}); empty where the dialect has no names
 * @param limit what is granted per window, 0 or more
 * @param remaining what was left when the response was made, from 0 to {@code limit}
 * @param resetAfter time from receipt of the response to the end that the server states, 0 or more.
 *     Servers mean different things by it: the window's edge, the instant at which the quota is
 *     whole again, or the time for which {@code remaining} has to suffice
 * @param length the window's length, above 0; servers may round it up to whole seconds
 * @param terms what is counted, and what few servers tell
 */
public record Window(
    Optional<String> name,
    OptionalLong limit,
    OptionalLong remaining,
    Optional<Duration> resetAfter,
    Optional<Duration> length,
    Terms terms) {

  private static final String PARTITION = ";pk=:";

  public Window {
    requireNotNegative("limit", limit);
    requireNotNegative("remaining", remaining);
    if (limit.isPresent() && remaining.isPresent() && remaining.getAsLong() > limit.getAsLong()) {
      throw new IllegalArgumentException(
          "remaining must be <= limit, was %d of %d"
              .formatted(remaining.getAsLong(), limit.getAsLong()));
    }
    if (resetAfter.isPresent() && resetAfter.get().isNegative()) {
      throw new IllegalArgumentException("resetAfter must be >= 0, was " + resetAfter.get());
    }
    if (length.isPresent() && (length.get().isNegative() || length.get().isZero())) {
      throw new IllegalArgumentException("length must be > 0, was " + length.get());
    }
  }

  /** A window that counts requests. */
  public Window(
      Optional<String> name,
      OptionalLong limit,
      OptionalLong remaining,
      Optional<Duration> resetAfter,
      Optional<Duration> length) {
    this(name, limit, remaining, resetAfter, length, Terms.REQUESTS);
  }

  /**
   * What a window counts, and what few servers tell of one.
   *
   * @param unit what is counted: {@code requests}, or else {@code tokens}, {@code content-bytes},
   *     the requests to a part of the API
   * @param ratePerSecond how much comes back each second, above 0
   * @param retryAfter the wait that is asked of this window alone, 0 or more
   * @param isResetScheduled whether {@code resetAfter} follows from the vendor's documented
   *     calendar and not from the response
   * @param counting how the server counts; where that is told, {@code resetAfter} and {@code
   *     length} are exact to a millisecond
   */
  public record Terms(
      String unit,
      OptionalDouble ratePerSecond,
      Optional<Duration> retryAfter,
      boolean isResetScheduled,
      Optional<Counting> counting) {

    static final Terms REQUESTS = of("requests");

    public Terms {
      double rate = ratePerSecond.orElse(1);
      if (!(rate > 0) || Double.isInfinite(rate)) {
        throw new IllegalArgumentException("ratePerSecond must be > 0, was " + rate);
      }
      if (retryAfter.isPresent() && retryAfter.get().isNegative()) {
        throw new IllegalArgumentException("retryAfter must be >= 0, was " + retryAfter.get());
      }
    }

    /** The terms of a window that tells no more than what it counts. */
    public static Terms of(String unit) {
      return new Terms(unit, OptionalDouble.empty(), Optional.empty(), false, Optional.empty());
    }

    /** The same of a server that tells how it counts. */
    Terms countedBy(Counting how) {
      return new Terms(unit, ratePerSecond, retryAfter, isResetScheduled, Optional.of(how));
    }
  }

  /** Whether the response says that nothing is left. */
  public boolean isExhausted() {
    return remaining.isPresent() && remaining.getAsLong() == 0;
  }

  /** How the server counts, if it tells. */
  public Optional<Counting> counting() {
    return terms.counting();
  }

  /** Whether it counts all requests, and not something else. */
  public boolean countsRequests() {
    return terms.unit().equals(Terms.REQUESTS.unit());
  }

  /** The policy's name without the partition key. */
  public Optional<String> policyName() {
    return name.map(
        full -> {
          int end = full.endsWith(":") ? full.lastIndexOf(PARTITION) : -1;
          return end < 0 ? full : full.substring(0, end);
        });
  }

  /** Whether it tells how much there is or was: neither is told where there is only an end. */
  boolean isCounted() {
    return limit.isPresent() || remaining.isPresent();
  }

  Window withResetAfter(Duration newResetAfter) {
    return new Window(name, limit, remaining, Optional.of(newResetAfter), length, terms);
  }

  private static void requireNotNegative(String what, OptionalLong value) {
    if (value.isPresent() && value.getAsLong() < 0) {
      throw new IllegalArgumentException(what + " must be >= 0, was " + value.getAsLong());
    }
  }
}
