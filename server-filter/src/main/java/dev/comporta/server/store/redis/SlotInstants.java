package dev.comporta.server.store.redis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * At which instant each slot was charged for a request that has taken from several: each master has
 * a clock of its own, and a verdict has one instant. Of the last {@value #MOST} such requests of
 * this node; what is settled later is settled by the instant of the verdict. Thread-safe.
 */
final class SlotInstants {

  /** Far more requests than a node answers at once, in a few megabytes. */
  static final int MOST = 10_000;

  private final Map<Charge, List<Long>> known = new LinkedHashMap<>();

  /**
   * Limits that were charged together.
   *
   * @param slots in their order
   * @param atMicros the instant of the verdict
   */
  private record Charge(List<Integer> slots, long atMicros) {}

  /**
   * Notes when each slot was charged.
   *
   * @param micros in the order of the slots
   * @return the instant of the verdict: the latest of these
   */
  long note(List<Integer> slots, List<Long> micros) {
    long atMicros = Collections.max(micros);
    synchronized (known) {
      known.put(new Charge(slots, atMicros), List.copyOf(micros));
      if (known.size() > MOST) {
        known.remove(known.keySet().iterator().next());
      }
    }
    return atMicros;
  }

  /** When each slot was charged for a verdict of that instant, in the order of the slots. */
  List<Long> of(List<Integer> slots, long atMicros) {
    synchronized (known) {
      List<Long> micros = known.get(new Charge(slots, atMicros));
      return micros != null ? micros : Collections.nCopies(slots.size(), atMicros);
    }
  }
}
