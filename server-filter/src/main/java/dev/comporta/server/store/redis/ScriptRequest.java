package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.policy.CalendarWindow;
import dev.comporta.server.policy.LimitWindow;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/** What a script is told: every key that it may touch, and its arguments. For one thread. */
final class ScriptRequest {

  private final List<Object> keys = new ArrayList<>();
  private final List<Object> arguments = new ArrayList<>();

  /** A request that says nothing so far. */
  ScriptRequest() {}

  /**
   * A request for these limits.
   *
   * @param head the arguments before the number of limits
   * @throws StoreException if two limits have the same key
   */
  ScriptRequest(List<KeyedLimit> limits, CalendarEdges calendars, Object... head) {
    ScriptKeys all = ScriptKeys.of(limits);
    add(all);
    for (Object word : head) {
      add(word);
    }
    add(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      add(all.formers().get(i));
      add(limits.get(i).limit(), calendars);
    }
  }

  /** For Redisson, which takes what it does not change. */
  List<Object> keys() {
    return keys;
  }

  /** The same. */
  List<Object> arguments() {
    return arguments;
  }

  void add(Object word) {
    arguments.add(word.toString());
  }

  /** These keys after those that it has. */
  void add(ScriptKeys more) {
    keys.addAll(more.all());
  }

  /** What this limit is. */
  void add(RateAlgorithm limit, CalendarEdges calendars) {
    switch (limit.kind()) {
      case TOKEN_BUCKET -> {
        TokenBucket bucket = (TokenBucket) limit;
        add("tb");
        add(bucket.reducedPermits());
        add(bucket.reducedWindowMicros());
        add(bucket.limit());
      }
      case SLIDING_WINDOW_COUNTER -> {
        SlidingWindowCounter counter = (SlidingWindowCounter) limit;
        add("sw");
        add(counter.limit());
        add(counter.windowMicros());
        add(counter.segmentMicros());
        add(counter.estimate().name());
      }
      case SLIDING_WINDOW_LOG -> {
        SlidingWindowLog log = (SlidingWindowLog) limit;
        add("sl");
        add(log.limit());
        add(log.windowMicros());
      }
      case FIXED_WINDOW -> {
        FixedWindow fixed = (FixedWindow) limit;
        add("fw");
        add(fixed.limit());
        addWindow(fixed.window(), calendars);
      }
    }
  }

  private void addWindow(LimitWindow window, CalendarEdges calendars) {
    if (!(window instanceof CalendarWindow)) {
      add(window.lengthMicros());
      return;
    }
    List<Long> edges = calendars.of(window);
    add(0);
    add(edges.size());
    edges.forEach(this::add);
  }
}
