package dev.comporta.client.sim;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: actions at instants, run in order; those of one instant in the order of asking. */
final class EventQueue {

  private record Event(long atMicros, long number, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atMicros).thenComparingLong(Event::number));
  private long now;
  private long number;

  long now() {
    return now;
  }

  void at(long micros, Runnable action) {
    events.add(new Event(Math.max(micros, now), number++, action));
  }

  void runUntil(long endMicros) {
    while (true) {
      Event next = events.peek();
      if (next == null || next.atMicros() >= endMicros) {
        return;
      }
      events.remove();
      now = next.atMicros();
      next.action().run();
    }
  }
}
