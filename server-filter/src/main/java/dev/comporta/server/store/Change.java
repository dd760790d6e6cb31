package dev.comporta.server.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What running code has changed under one name: of two, the one that was written later holds. One
 * that was taken back is remembered as such, so that no node that knows it only as it was brings it
 * back.
 *
 * @param text what it says; empty if it was taken back
 * @param writtenMicros when it was written, microseconds since the epoch by the clock of the store
 * @param endsAtMicros when it ends by itself, by that clock; nothing if it does not
 */
public record Change(String text, long writtenMicros, OptionalLong endsAtMicros) {

  /** Whether it says nothing any more. */
  public boolean isTakenBack() {
    return text.isEmpty();
  }

  /** Whether it has ended by itself. */
  public boolean hasEnded(long nowMicros) {
    return endsAtMicros.isPresent() && endsAtMicros.getAsLong() <= nowMicros;
  }

  /** Whether it takes the place of that one. */
  public boolean isNewerThan(Optional<Change> other) {
    return other.isEmpty() || writtenMicros > other.get().writtenMicros();
  }
}
