package dev.comporta.client.sim;

import java.util.Random;

/** When what leaves one end comes to the other: requests at the server, answers at the client. */
@FunctionalInterface
public interface Ways {

  /** A network of few hops: 5 to 40 ms, evenly. */
  Ways SHORT = evenly(5_000, 40_000);

  /** The instant of coming, not before that of leaving; both in micros. */
  long arrival(long leftMicros, Random random);

  /** Ways from the shortest time on, below the longest, all as likely. */
  static Ways evenly(int shortestMicros, int longestMicros) {
    return (left, random) -> left + shortestMicros + random.nextInt(longestMicros - shortestMicros);
  }

  /**
   * The same ways where nothing moves for the beginning of each period, and what should have come
   * meanwhile comes then within a few milliseconds, in any order: threads without a processor.
   */
  default Ways stalling(long periodMicros, long stallMicros) {
    return (left, random) -> {
      long arrival = arrival(left, random);
      long begin = arrival - Math.floorMod(arrival, periodMicros);
      return Math.max(arrival, begin + stallMicros + random.nextInt(3_000));
    };
  }
}
