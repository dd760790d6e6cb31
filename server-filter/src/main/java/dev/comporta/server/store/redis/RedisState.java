package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A state as the scripts write it, whole numbers with single spaces between, in the form in which
 * its algorithm reads it. The scripts say what each number is.
 */
final class RedisState {

  private static final Pattern FORM = Pattern.compile("[0-9]{1,16}( [0-9]{1,16})*");

  private static final int FIRST_COUNTER = 2;
  private static final int LONGS_OF_A_COUNTER = 3;
  private static final int FIRST_ENTRY = 3;
  private static final int LONGS_OF_AN_ENTRY = 2;

  private RedisState() {}

  /**
   * The state of that text; of an empty one, that of a caller who never came.
   *
   * @throws StoreException if it is no state of that algorithm
   */
  static long[] parse(Object reply, RateAlgorithm limit) {
    String text = reply.toString();
    if (text.isEmpty()) {
      return limit.newState();
    }
    if (!FORM.matcher(text).matches()) {
      throw StoreException.permanent("Redis told a state that is not whole numbers");
    }
    String[] words = text.split(" ", -1);
    long[] read = new long[words.length];
    for (int i = 0; i < read.length; i++) {
      read[i] = Long.parseLong(words[i]);
    }
    return switch (limit.kind()) {
      case TOKEN_BUCKET, FIXED_WINDOW -> ofLength(limit.newState().length, read);
      case SLIDING_WINDOW_COUNTER -> counters(read, limit.newState());
      case SLIDING_WINDOW_LOG -> log(read);
    };
  }

  /**
   * The states of these limits, in their order.
   *
   * @throws StoreException if one is no state of its algorithm
   */
  static List<long[]> parseAll(List<Object> replies, List<KeyedLimit> limits) {
    List<long[]> states = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      states.add(parse(replies.get(i), limits.get(i).limit()));
    }
    return states;
  }

  private static long[] ofLength(int length, long[] read) {
    require(read.length == length);
    return read;
  }

  /**
   * Segment and phase; then the last of the newest counter, its span and its permits; and so on.
   */
  private static long[] counters(long[] read, long[] fresh) {
    require(read.length >= FIRST_COUNTER);
    require((read.length - FIRST_COUNTER) % LONGS_OF_A_COUNTER == 0);
    long[] state = read.length > fresh.length ? new long[read.length] : fresh;
    state[0] = read[0];
    state[1] = read[1];
    for (int at = FIRST_COUNTER; at < read.length; at += LONGS_OF_A_COUNTER) {
      long last = at == FIRST_COUNTER ? read[at] : state[at - LONGS_OF_A_COUNTER + 1] - read[at];
      state[at] = read[at + 2];
      state[at + 1] = last - read[at + 1];
      state[at + 2] = last;
    }
    return state;
  }

  /** The sum before the oldest entry; then instant and sum of each. */
  private static long[] log(long[] read) {
    require(read.length % LONGS_OF_AN_ENTRY == 1);
    int entries = read.length / LONGS_OF_AN_ENTRY;
    long[] state = new long[FIRST_ENTRY + LONGS_OF_AN_ENTRY * entries];
    state[1] = entries;
    state[2] = read[0];
    System.arraycopy(read, 1, state, FIRST_ENTRY, read.length - 1);
    return state;
  }

  private static void require(boolean isOfItsAlgorithm) {
    if (!isOfItsAlgorithm) {
      throw StoreException.permanent("Redis told a state that is not one of its algorithm");
    }
  }
}
