package dev.comporta.client.pacing;

/**
 * The mean of a number over time that has been seen at some instants: what is longer ago than the
 * memory counts little. Micros.
 */
final class RecentMean {

  /** So small a part of the memory says nothing yet. */
  private static final double LEAST_WEIGHT = 0.1;

  private double weighted;
  private double weight;

  /** Takes a value that has held for that span. */
  void add(double value, double spanMicros, double memoryMicros) {
    double gain = 1 - Math.exp(-spanMicros / memoryMicros);
    weighted += gain * (value - weighted);
    weight += gain * (1 - weight);
  }

  /** Whether the mean is above that, as far as it is known. */
  boolean isAbove(double value) {
    return weight > LEAST_WEIGHT && weighted > weight * value;
  }
}
