package dev.comporta.server.policy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Estimate;
import java.util.Objects;

/**
 * How a limit counts.
 *
 * @param algorithm the algorithm
 * @param burst the most that can be spent at once; other than the permits for a token bucket only
 * @param estimate how a weighted window estimates; other than {@link Estimate#EVEN} for it only
 * @param segments into how many parts a weighted window is cut, 1 to 60; other than 1 for it only
 */
public record Counting(Algorithm algorithm, long burst, Estimate estimate, int segments) {

  /** Below a sixtieth of a window, a segment gains nothing that a log would not give. */
  public static final int MAX_SEGMENTS = 60;

  /** Checks every range, and that nothing is said which the algorithm does not know. */
  public Counting {
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(estimate, "estimate");
    LimitSpec.requireRange("burst", burst);
    if (segments < 1 || segments > MAX_SEGMENTS) {
      throw new IllegalArgumentException(
          "segments must be 1 to " + MAX_SEGMENTS + ", was " + segments);
    }
    if (algorithm != Algorithm.SLIDING_WINDOW_COUNTER) {
      requireUnset("segments", segments, segments == 1, algorithm);
      requireUnset("estimate", estimate, estimate == Estimate.EVEN, algorithm);
    }
  }

  /** By that algorithm, with nothing else said. */
  static Counting plain(Algorithm algorithm, long permits) {
    return new Counting(algorithm, permits, Estimate.EVEN, 1);
  }

  private static void requireUnset(
      String name, Object value, boolean isUnset, Algorithm algorithm) {
    if (!isUnset) {
      throw new IllegalArgumentException(
          name + " is for SLIDING_WINDOW_COUNTER only, was " + value + " with " + algorithm);
    }
  }
}
