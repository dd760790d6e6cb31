package dev.comporta.server.caller;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was made of the keys that came last, so that who sends many requests is not worked out anew
 * for each. Holds a fixed number of them, each in the slot of its hash, where the next one with
 * that slot takes its place. Thread-safe.
 *
 * @param <K> what it is made of
 * @param <V> what is made; immutable, and the same whenever it is made of an equal key
 */
final class Recent<K, V> {

  /** A power of two; some tens of kilobytes when full. */
  private static final int SLOTS = 1024;

  private final AtomicReferenceArray<@Nullable Entry<K, V>> slots =
      new AtomicReferenceArray<>(SLOTS);
  private final Function<K, V> maker;

  private record Entry<K, V>(K key, V value) {}

  Recent(Function<K, V> maker) {
    this.maker = maker;
  }

  V of(K key) {
    int hash = key.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Entry<K, V> found = slots.getAcquire(slot);
    if (found != null && found.key().equals(key)) {
      return found.value();
    }
    V made = maker.apply(key);
    slots.setRelease(slot, new Entry<>(key, made));
    return made;
  }
}
