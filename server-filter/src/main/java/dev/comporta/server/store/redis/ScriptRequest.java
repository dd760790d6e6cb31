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
import java.util.Optional;

/**
 * What a script is told: every key that it may touch, the keys of the limits first and then the
 * former ones, and in the arguments each limit. For one thread.
 */
final class ScriptRequest {

  private final List<Object> keys;
  private final List<Object> arguments = new ArrayList<>();

  /**
   * A request for these limits.
   *
   * @param head the arguments before the number of limits
   * @throws StoreException if two limits have the same key
   */
  ScriptRequest(List<KeyedLimit> limits, CalendarEdges calendars, Object... head) {
    this.keys = new ArrayList<>(limits.size());
    for (KeyedLimit limit : limits) {
      if (keys.contains(limit.key())) {
        throw StoreException.permanent("the keys of one request must differ, two do not");
      }
      keys.add(limit.key());
    }
    for (Object word : head) {
      add(word);
    }
    add(limits.size());
    for (KeyedLimit limit : limits) {
      add(limit.limit(), placeOfFormer(limit), calendars);
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

  /** Its place among the keys, from 1 on; 0 if there is none for this limit. */
  private int placeOfFormer(KeyedLimit limit) {
    Optional<String> former = limit.formerKey();
    if (former.isEmpty() || keys.contains(former.get())) {
      return 0;
    }
    keys.add(former.get());
    return keys.size();
  }

  private void add(RateAlgorithm limit, int placeOfFormer, CalendarEdges calendars) {
    switch (limit.kind()) {
      case TOKEN_BUCKET -> {
        TokenBucket bucket = (TokenBucket) limit;
        begin("tb", placeOfFormer);
        add(bucket.reducedPermits());
        add(bucket.reducedWindowMicros());
        add(bucket.limit());
      }
      case SLIDING_WINDOW_COUNTER -> {
        SlidingWindowCounter counter = (SlidingWindowCounter) limit;
        begin("sw", placeOfFormer);
        add(counter.limit());
        add(counter.windowMicros());
        add(counter.segmentMicros());
        add(counter.estimate().name());
      }
      case SLIDING_WINDOW_LOG -> {
        SlidingWindowLog log = (SlidingWindowLog) limit;
        begin("sl", placeOfFormer);
        add(log.limit());
        add(log.windowMicros());
      }
      case FIXED_WINDOW -> {
        FixedWindow fixed = (FixedWindow) limit;
        begin("fw", placeOfFormer);
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

  private void begin(String algorithm, int placeOfFormer) {
    add(algorithm);
    add(placeOfFormer);
  }
}
