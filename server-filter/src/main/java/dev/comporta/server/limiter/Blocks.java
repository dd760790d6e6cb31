package dev.comporta.server.limiter;

import dev.comporta.server.api.Caller;
import dev.comporta.server.caller.RequestCallers;
import dev.comporta.server.store.MicrosClock;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Callers that the application has blocked for a time, by their keys. Thread-safe. */
final class Blocks {

  /** Far more than anyone blocks by hand; so that a rule gone wrong does not fill the memory. */
  static final int MAX_BLOCKS = 100_000;

  private final Map<String, Long> untilMicros = new ConcurrentHashMap<>();

  /** Blocks a caller until then, in place of a block that it has. */
  synchronized void block(String key, long until, long nowMicros) {
    if (untilMicros.size() >= MAX_BLOCKS && !untilMicros.containsKey(key)) {
      untilMicros.values().removeIf(end -> end <= nowMicros);
      if (untilMicros.size() >= MAX_BLOCKS) {
        throw new IllegalStateException("at most " + MAX_BLOCKS + " callers can be blocked");
      }
    }
    untilMicros.put(key, until);
  }

  synchronized void unblock(String key) {
    untilMicros.remove(key);
  }

  /**
   * For how much longer whoever sent a request is blocked, by name or by address; nothing if nobody
   * is.
   */
  OptionalLong leftMicros(RequestCallers callers, CallerKeys keys, MicrosClock clock) {
    if (untilMicros.isEmpty()) {
      return OptionalLong.empty();
    }
    long nowMicros = clock.nowMicros();
    OptionalLong ofCaller = leftMicros(callers.caller(), keys, nowMicros);
    OptionalLong ofAddress = leftMicros(callers.address(), keys, nowMicros);
    boolean isAddressLonger = ofAddress.orElse(0) > ofCaller.orElse(0);
    return isAddressLonger ? ofAddress : ofCaller;
  }

  private OptionalLong leftMicros(Optional<Caller> caller, CallerKeys keys, long nowMicros) {
    if (caller.isEmpty()) {
      return OptionalLong.empty();
    }
    String key = keys.of(caller.get());
    Long until = untilMicros.get(key);
    if (until == null) {
      return OptionalLong.empty();
    }
    if (until <= nowMicros) {
      untilMicros.remove(key, until);
      return OptionalLong.empty();
    }
    return OptionalLong.of(until - nowMicros);
  }
}
