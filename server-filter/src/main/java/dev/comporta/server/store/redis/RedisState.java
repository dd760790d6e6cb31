package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.StoreException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A state as the scripts write it: four integers with single spaces between. */
final class RedisState {

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,16}) ([0-9]{1,16}) ([0-9]{1,16}) ([0-9]{1,16})");

  private RedisState() {}

  static long[] parse(Object text) {
    Matcher matcher = FORM.matcher(text.toString());
    if (!matcher.matches()) {
      throw StoreException.permanent("Redis holds a state that is not four integers");
    }
    long[] state = new long[RateAlgorithm.STATE_LONGS];
    for (int i = 0; i < state.length; i++) {
      state[i] = Long.parseLong(matcher.group(i + 1));
    }
    return state;
  }
}
