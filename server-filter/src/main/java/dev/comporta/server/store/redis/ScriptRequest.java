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

/**
 * What a script is told: every key that it may touch, the keys of the limits first and then the
 * former ones, and in the arguments each limit. For one thread.
 */
final class ScriptRequest {

  private static final String NO_FORMER = "0";

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
      add(limit.limit(), placesOfFormer(limit), calendars);
    }
  }

  private ScriptRequest(int requests) {
    this.keys = new ArrayList<>();
    add(requests);
  }

  /** One request for all of these: of each how many keys and arguments it has, and these. */
  static ScriptRequest ofAll(List<ScriptRequest> requests) {
    ScriptRequest all = new ScriptRequest(requests.size());
    for (ScriptRequest each : requests) {
      all.add(each.keys.size());
      all.add(each.arguments.size());
      all.keys.addAll(each.keys);
      all.arguments.addAll(each.arguments);
    }
    return all;
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

  /** The places of the first and the last among the keys, from 1 on; 0 if there are none. */
  private String placesOfFormer(KeyedLimit limit) {
    int before = keys.size();
    for (String former : limit.formerKeys()) {
      if (!keys.contains(former)) {
        keys.add(former);
      }
    }
    return keys.size() == before ? NO_FORMER : (before + 1) + " " + keys.size();
  }

  private void add(RateAlgorithm limit, String placesOfFormer, CalendarEdges calendars) {
    switch (limit.kind()) {
      case TOKEN_BUCKET -> {
        TokenBucket bucket = (TokenBucket) limit;
        begin("tb", placesOfFormer);
        add(bucket.reducedPermits());
        add(bucket.reducedWindowMicros());
        add(bucket.limit());
      }
      case SLIDING_WINDOW_COUNTER -> {
        SlidingWindowCounter counter = (SlidingWindowCounter) limit;
        begin("sw", placesOfFormer);
        add(counter.limit());
        add(counter.windowMicros());
        add(counter.segmentMicros());
        add(counter.estimate().name());
      }
      case SLIDING_WINDOW_LOG -> {
        SlidingWindowLog log = (SlidingWindowLog) limit;
        begin("sl", placesOfFormer);
        add(log.limit());
        add(log.windowMicros());
      }
      case FIXED_WINDOW -> {
        FixedWindow fixed = (FixedWindow) limit;
        begin("fw", placesOfFormer);
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

  private void begin(String algorithm, String placesOfFormer) {
    add(algorithm);
    add(placesOfFormer);
  }
}
