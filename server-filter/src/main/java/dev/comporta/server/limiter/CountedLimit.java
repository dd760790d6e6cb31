package dev.comporta.server.limiter;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.KeyedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one limit counts, under which key, and from which keys it goes on; and, once another limit
 * has taken its place, which one. Thread-safe.
 */
final class CountedLimit {

  /*
   * How usage survives any number of changes, and why it costs nothing after them
   *
   * A limit whose window changes gets another key. A caller who comes then is found under the key
   * before it, or under the one before that, if it did not come in between; so each limit knows its
   * former keys. What was counted under a key has an effect for twice the span in which the limit
   * comes back, a debt included; or in which the next ones do, for a caller whom they refuse, since
   * a refusal moves nothing. That long after the change, and a grace for nodes that learn of it
   * later, no caller can have anything under the former key, and it is dropped:
   *
   *   at 0:00  10/5m             under 5m
   *   at 5:00  10/2m             under 2m, else 5m
   *   at 5:30  10/1m             under 1m, else 2m, else 5m
   *   at 14:30 10/1m             under 1m, else 5m      (5:30 + 2 * 2m + 5m have passed)
   *   at 20:00 10/1m             under 1m               (5:00 + 2 * 5m + 5m)
   *
   * A request that was decided before a change may be settled after it, when its usage has moved. It
   * holds the limit of then, which leads to the one of now; nothing leads back, so a limit of old is
   * gone with the last request that was decided by it.
   */

  /** Other nodes may learn of a change so much later, and count under the former key until then. */
  private static final long GRACE_MICROS = Duration.ofMinutes(5).toNanos() / 1_000;

  private final String keyEnd;
  private final RateAlgorithm algorithm;
  private final List<FormerKey> formers; // the newest first
  private final long othersUntilMicros; // what other limits counted under this key ends then
  private volatile @Nullable CountedLimit successor;

  /**
   * A key under which the usage was counted before.
   *
   * @param end what it ended with
   * @param leftMicros when the limit got another one
   * @param untilMicros from when on nothing that was counted under it has an effect
   */
  private record FormerKey(String end, long leftMicros, long untilMicros) {

    /** The same beside a limit that may refuse somebody by what was counted under it. */
    FormerKey readBy(RateAlgorithm limit) {
      return new FormerKey(
          end, leftMicros, Math.max(untilMicros, effectEndsAtMicros(limit, leftMicros)));
    }
  }

  /** A limit that goes on from no other. */
  CountedLimit(String keyEnd, RateAlgorithm algorithm) {
    this(keyEnd, algorithm, List.of(), 0);
  }

  private CountedLimit(
      String keyEnd, RateAlgorithm algorithm, List<FormerKey> formers, long othersUntilMicros) {
    this.keyEnd = keyEnd;
    this.algorithm = algorithm;
    this.formers = formers;
    this.othersUntilMicros = othersUntilMicros;
  }

  /** What the key ends with; it begins with whom the limit counts. */
  String keyEnd() {
    return keyEnd;
  }

  /** The limit for whom keys begin like that. */
  KeyedLimit keyed(String keyStart) {
    String key = keyStart + keyEnd;
    return formers.isEmpty()
        ? new KeyedLimit(key, algorithm)
        : new KeyedLimit(
            key, algorithm, formers.stream().map(former -> keyStart + former.end()).toList());
  }

  /** When the first of the former keys can be dropped; {@code Long.MAX_VALUE} if there is none. */
  long dropsAtMicros() {
    return formers.stream().mapToLong(FormerKey::untilMicros).min().orElse(Long.MAX_VALUE);
  }

  /**
   * That limit as it goes on from this one. This one has ended, and leads to it from now on.
   *
   * @param fresh a limit that goes on from no other
   * @param keyEnds of all limits beside it: what one of them counts under is no former key
   */
  CountedLimit continuedBy(CountedLimit fresh, Set<String> keyEnds, long nowMicros) {
    long ownUntilMicros = effectEndsAtMicros(algorithm, nowMicros);
    List<FormerKey> all = new ArrayList<>(formers.size() + 1);
    all.add(new FormerKey(keyEnd, nowMicros, Math.max(ownUntilMicros, othersUntilMicros)));
    all.addAll(formers);
    long othersUntil =
        all.stream()
            .filter(former -> former.end().equals(fresh.keyEnd))
            .mapToLong(FormerKey::untilMicros)
            .max()
            .orElse(0);
    List<FormerKey> kept =
        all.stream()
            .filter(former -> !keyEnds.contains(former.end()))
            .filter(former -> former.untilMicros() > nowMicros)
            .map(former -> former.readBy(fresh.algorithm))
            .limit(KeyedLimit.MOST_FORMER_KEYS)
            .toList();
    CountedLimit continued = new CountedLimit(fresh.keyEnd, fresh.algorithm, kept, othersUntil);
    successor = continued;
    return continued;
  }

  /* Of the last that it counted then, a debt included; on each node that has learnt of the change. */
  private static long effectEndsAtMicros(RateAlgorithm limit, long lastMicros) {
    return lastMicros + 2 * limit.windowMicros() + GRACE_MICROS;
  }

  /** Whether another limit has taken its place. */
  boolean hasEnded() {
    return successor != null;
  }

  /** A limit that {@link #keyed} gave, as it is counted now. */
  KeyedLimit present(KeyedLimit decided) {
    CountedLimit last = this;
    for (CountedLimit next = successor; next != null; next = next.successor) {
      last = next;
    }
    String key = decided.key();
    return last == this ? decided : last.keyed(key.substring(0, key.length() - keyEnd.length()));
  }
}
