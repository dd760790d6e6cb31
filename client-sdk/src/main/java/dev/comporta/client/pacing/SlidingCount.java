package dev.comporta.client.pacing;

import java.util.Arrays;

/**
 * Counts own requests over the last two windows, in slots of a part of the window: constant memory,
 * however many requests a window grants. The oldest slot counts by the share of it that is inside.
 */
final class SlidingCount {

  private static final int SLOTS_PER_WINDOW = 128;
  private static final int SLOTS = 2 * SLOTS_PER_WINDOW + 2;

  private final double slotMicros;
  private final int[] counts = new int[SLOTS];
  private long newestSlot = Long.MIN_VALUE;

  SlidingCount(double windowMicros) {
    this.slotMicros = Math.max(1, windowMicros / SLOTS_PER_WINDOW);
  }

  void add(long nowMicros) {
    long slot = (long) Math.floor(nowMicros / slotMicros);
    advance(slot);
    if (slot > newestSlot - SLOTS) {
      counts[Math.floorMod(slot, SLOTS)]++;
    }
  }

  /** The requests sent after that instant, which may lie up to two windows in the past. */
  double since(double fromMicros) {
    double from = fromMicros / slotMicros;
    long first = (long) Math.floor(from);
    double sum = 0;
    for (long slot = Math.max(first, newestSlot - SLOTS + 1); slot <= newestSlot; slot++) {
      int count = counts[Math.floorMod(slot, SLOTS)];
      sum += slot == first ? count * (first + 1 - from) : count;
    }
    return sum;
  }

  /** The instant from which on requests are remembered. */
  double remembersFrom() {
    return newestSlot == Long.MIN_VALUE
        ? Double.NEGATIVE_INFINITY
        : (newestSlot - SLOTS + 1) * slotMicros;
  }

  double slotMicros() {
    return slotMicros;
  }

  private void advance(long slot) {
    if (newestSlot == Long.MIN_VALUE || slot - newestSlot >= SLOTS) {
      Arrays.fill(counts, 0);
      newestSlot = slot;
    }
    while (newestSlot < slot) {
      newestSlot++;
      counts[Math.floorMod(newestSlot, SLOTS)] = 0;
    }
  }
}
