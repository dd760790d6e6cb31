package dev.comporta.server.bench;

import java.util.Collection;
import java.util.List;

/** The figure that a few disturbed measurements do not change. */
final class Medians {

  private Medians() {}

  /** The middle one, or the mean of the middle two. */
  static double of(Collection<Double> figures) {
    List<Double> sorted = figures.stream().sorted().toList();
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
