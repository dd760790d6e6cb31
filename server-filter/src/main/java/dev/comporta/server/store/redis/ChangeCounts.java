package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How often the usage of limits was changed by more than a decision, as far as this node did it.
 * Counts by places, a fixed number, so two keys may share one: then a change of one counts for
 * both. Thread-safe.
 */
final class ChangeCounts {

  /** So many places, whatever is kept in them: far more than callers are busy at once. */
  static final int PLACES = 1 << 14;

  private final AtomicIntegerArray counts = new AtomicIntegerArray(PLACES);

  /** Where a key has its place. */
  static int place(KeyedLimit limit) {
    int hash = limit.key().hashCode();
    return (hash ^ (hash >>> 16)) & (PLACES - 1);
  }

  /** These limits have changed. */
  void note(List<KeyedLimit> limits) {
    for (KeyedLimit limit : limits) {
      note(limit);
    }
  }

  /** This limit has changed. */
  void note(KeyedLimit limit) {
    counts.incrementAndGet(place(limit));
  }

  /** All that there are have changed. */
  void noteAll() {
    for (int place = 0; place < PLACES; place++) {
      counts.incrementAndGet(place);
    }
  }

  /** Of each a number that is another one after it has changed. */
  List<Integer> ofEach(List<KeyedLimit> limits) {
    return limits.stream().map(limit -> counts.get(place(limit))).toList();
  }

  /** A number that is another one after any of these limits has changed. */
  int of(List<KeyedLimit> limits) {
    int sum = 0;
    for (KeyedLimit limit : limits) {
      sum += counts.get(place(limit));
    }
    return sum;
  }
}
