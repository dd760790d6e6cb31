package dev.comporta.server.store.redis;

import dev.comporta.server.policy.LimitWindow;
import dev.comporta.server.store.MicrosClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the windows of a calendar begin and end around now: scripts know no calendar, and choose
 * among these by the clock of Redis, which may be a day ahead of that of this node or behind it.
 * Thread-safe.
 */
final class CalendarEdges {

  private static final long DAY_MICROS = 86_400_000_000L;

  private final MicrosClock clock;

  /** To find them costs more than a decision; there are as many as calendars are configured. */
  private final ConcurrentHashMap<LimitWindow, List<Long>> known = new ConcurrentHashMap<>();

  CalendarEdges(MicrosClock clock) {
    this.clock = clock;
  }

  /** In order, from before yesterday to after tomorrow. */
  List<Long> of(LimitWindow calendar) {
    long nowMicros = clock.nowMicros();
    List<Long> edges = known.get(calendar);
    if (edges != null && reach(edges, nowMicros)) {
      return edges;
    }
    List<Long> found = around(calendar, nowMicros);
    known.put(calendar, found);
    return found;
  }

  private static boolean reach(List<Long> edges, long nowMicros) {
    return edges.get(0) <= nowMicros - DAY_MICROS
        && nowMicros + DAY_MICROS < edges.get(edges.size() - 1);
  }

  private static List<Long> around(LimitWindow calendar, long nowMicros) {
    List<Long> edges = new ArrayList<>();
    long edge = calendar.startMicros(nowMicros - DAY_MICROS);
    edges.add(edge);
    while (edge <= nowMicros + DAY_MICROS) {
      edge = calendar.endMicros(edge);
      edges.add(edge);
    }
    return List.copyOf(edges);
  }
}
