package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Under which keys usage is counted since limits were changed, as far as requests of this node have
 * told by their former keys. Knows limits, and no callers. Thread-safe.
 */
final class MovedLimits {

  /** Far more than a configuration has limits. */
  private static final int MOST = 10_000;

  private final Map<String, KeyedLimit> nowByFormerEnd = new ConcurrentHashMap<>();

  /** These limits are asked now. */
  void learn(List<KeyedLimit> limits) {
    for (KeyedLimit limit : limits) {
      if (!nowByFormerEnd.isEmpty()) {
        nowByFormerEnd.remove(end(limit.key()));
      }
      for (String former : limit.formerKeys()) {
        if (nowByFormerEnd.size() < MOST) {
          nowByFormerEnd.put(end(former), limit);
        }
      }
    }
  }

  /** The same usage of the same callers, wherever it is counted now; before it moves, and after. */
  List<KeyedLimit> now(List<KeyedLimit> limits) {
    if (nowByFormerEnd.isEmpty()) {
      return limits;
    }
    Map<String, KeyedLimit> byKey = new LinkedHashMap<>();
    for (KeyedLimit limit : limits) {
      KeyedLimit present = nowByFormerEnd.get(end(limit.key()));
      KeyedLimit own = present == null ? limit : ofCaller(limit.key(), present);
      byKey.putIfAbsent(own.key(), own);
    }
    return List.copyOf(byKey.values());
  }

  private static KeyedLimit ofCaller(String key, KeyedLimit limit) {
    String start = key.substring(0, key.length() - end(key).length());
    List<String> formers = limit.formerKeys().stream().map(former -> start + end(former)).toList();
    return new KeyedLimit(start + end(limit.key()), limit.limit(), formers);
  }

  /** What a key tells of its limit, without whose usage it is. */
  private static String end(String key) {
    return key.substring(key.indexOf('}') + 1);
  }
}
