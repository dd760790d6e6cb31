package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.store.StoreException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A state as the scripts write it: four integers with single spaces between. */
final class RedisState {

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,16}) ([0-9]{1,16}) ([0-9]{1,16}) ([0-9]{1,16})");
  private static final int LONGS = 4;

  private RedisState() {}

  /** The state in the form in which that algorithm reads it. */
  static long[] parse(Object text, RateAlgorithm limit) {
    Matcher matcher = FORM.matcher(text.toString());
    if (!matcher.matches()) {
      throw StoreException.permanent("Redis holds a state that is not four integers");
    }
    long[] read = new long[LONGS];
    for (int i = 0; i < read.length; i++) {
      read[i] = Long.parseLong(matcher.group(i + 1));
    }
    return limit instanceof SlidingWindowCounter ? counters(read) : bucket(read);
  }

  /**
   * The scripts see to a clock that steps back, so the bucket is never further ahead than it may.
   */
  private static long[] bucket(long[] read) {
    return new long[] {read[0], read[1], read[2], read[3], read[0]};
  }

  /** The scripts keep start, current, previous and window; each counter counts evenly. */
  private static long[] counters(long[] read) {
    long start = read[0];
    long before = start - read[3];
    if (read[1] == 0) {
      return new long[] {read[3], 0, read[2], before, before, 0, 0, 0};
    }
    return new long[] {read[3], 0, read[1], start, start, read[2], before, before};
  }
}
