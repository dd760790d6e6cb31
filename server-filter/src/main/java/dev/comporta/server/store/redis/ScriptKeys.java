package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/**
 * Every key that a script may touch for some limits.
 *
 * @param all of each limit its own key, then its former ones, the newest first
 * @param formers how many former ones each limit has
 */
record ScriptKeys(List<String> all, List<Integer> formers) {

  /**
   * The keys of these limits. A former key that two of them name is that of the first, and one that
   * is a key of any of them is nobody's former key.
   *
   * @throws StoreException if two limits have the same key
   */
  static ScriptKeys of(List<KeyedLimit> limits) {
    List<String> own = new ArrayList<>(limits.size());
    for (KeyedLimit limit : limits) {
      if (own.contains(limit.key())) {
        throw StoreException.permanent("the keys of one request must differ, two do not");
      }
      own.add(limit.key());
    }
    List<String> all = new ArrayList<>(limits.size());
    List<Integer> formers = new ArrayList<>(limits.size());
    for (KeyedLimit limit : limits) {
      all.add(limit.key());
      int before = all.size();
      for (String former : limit.formerKeys()) {
        if (!own.contains(former) && !all.contains(former)) {
          all.add(former);
        }
      }
      formers.add(all.size() - before);
    }
    return new ScriptKeys(all, formers);
  }
}
