package dev.comporta.server.limiter;

import dev.comporta.server.api.Caller;
import dev.comporta.server.caller.RequestCallers;
import dev.comporta.server.store.Change;
import dev.comporta.server.store.MicrosClock;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Callers that the application has blocked for a time, hashed. Thread-safe. */
final class Blocks {

  private final Map<String, Long> untilMicros = new ConcurrentHashMap<>();

  /**
   * Blocks a caller in place of a block that it has, or takes the block back.
   *
   * @param whose the caller, hashed
   */
  void apply(String whose, Change change) {
    if (change.isTakenBack() || change.endsAtMicros().isEmpty()) {
      untilMicros.remove(whose);
    } else {
      untilMicros.put(whose, change.endsAtMicros().getAsLong());
    }
  }

  /** Frees what is held for blocks that are over. */
  void forgetEnded(long nowMicros) {
    untilMicros.values().removeIf(end -> end <= nowMicros);
  }

  /** Whether that caller, hashed, has a block that was not known to have ended. */
  boolean isBlocked(String whose) {
    return untilMicros.containsKey(whose);
  }

  /**
   * For how much longer whoever sent a request is blocked, by name or by address; nothing if nobody
   * is.
   *
   * @param clock by which blocks end
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
    return caller.isEmpty() ? OptionalLong.empty() : leftMicros(keys.hash(caller.get()), nowMicros);
  }

  /**
   * For how much longer that caller is blocked; nothing if it is not.
   *
   * @param whose the caller, hashed
   */
  OptionalLong leftMicros(String whose, long nowMicros) {
    Long until = untilMicros.get(whose);
    if (until == null) {
      return OptionalLong.empty();
    }
    if (until <= nowMicros) {
      untilMicros.remove(whose, until);
      return OptionalLong.empty();
    }
    return OptionalLong.of(until - nowMicros);
  }
}
