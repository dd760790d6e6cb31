package dev.comporta.server.store;

import dev.comporta.server.algorithm.RateAlgorithm;
import java.util.List;

/**
 * A limit, and the key under which a caller's usage of it is counted.
 *
 * @param key tells application, policy, limit with its algorithm, and caller; holds no identity in
 *     clear
 * @param limit how it counts
 * @param formerKeys the keys under which the same algorithm counted before live changes, the newest
 *     first, {@value #MOST_FORMER_KEYS} at most. While nothing is kept under {@code key}, the state
 *     under the first of these that has one counts; the first decision or surcharge that writes
 *     moves it to {@code key}, and forgets what is kept under the others, which counted for
 *     nothing. Where two limits of a request name one former key, the first takes it; one that is
 *     also a key of the request is nobody's former key.
 */
public record KeyedLimit(String key, RateAlgorithm limit, List<String> formerKeys) {

  /**
   * Each is one more look-up for a caller of whom nothing is kept. A caller who stayed away while
   * more than so many keys came and went, within the time that usage lasts, starts anew.
   */
  public static final int MOST_FORMER_KEYS = 8;

  /**
   * What stands between the braces of a key that counts everyone together. Where limits cannot be
   * decided at one instant, it is decided last.
   */
  public static final String EVERYONE = "everyone";

  /** Refuses a former key that is the key, and more of them than there may be. */
  public KeyedLimit {
    // The constant of no elements, which nearly all limits have, is not copied.
    formerKeys = List.copyOf(formerKeys);
    if (formerKeys.contains(key)) {
      throw new IllegalArgumentException("the former keys must differ from the key");
    }
    if (formerKeys.size() > MOST_FORMER_KEYS) {
      throw new IllegalArgumentException(
          "there may be " + MOST_FORMER_KEYS + " former keys, were " + formerKeys.size());
    }
  }

  /** A limit that has always been counted under this key. */
  public KeyedLimit(String key, RateAlgorithm limit) {
    this(key, limit, List.of());
  }
}
