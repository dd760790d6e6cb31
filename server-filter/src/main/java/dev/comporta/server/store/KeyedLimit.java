package dev.comporta.server.store;

import dev.comporta.server.algorithm.RateAlgorithm;
import java.util.Optional;

/**
 * A limit, and the key under which a caller's usage of it is counted.
 *
 * @param key tells application, policy, limit with its algorithm, and caller; holds no identity in
 *     clear
 * @param limit how it counts
 * @param formerKey the key under which the same algorithm counted before a live change, if there
 *     was another. While nothing is kept under {@code key}, the state under this one counts; the
 *     first decision or settlement that writes moves it to {@code key}. Where two limits of a
 *     request name one former key, the first takes it; one that is also a key of the request is
 *     nobody's former key.
 */
public record KeyedLimit(String key, RateAlgorithm limit, Optional<String> formerKey) {

  /** Refuses a former key that is the key. */
  public KeyedLimit {
    if (formerKey.isPresent() && formerKey.get().equals(key)) {
      throw new IllegalArgumentException("the former key must differ from the key");
    }
  }

  /** A limit that has always been counted under this key. */
  public KeyedLimit(String key, RateAlgorithm limit) {
    this(key, limit, Optional.empty());
  }
}
