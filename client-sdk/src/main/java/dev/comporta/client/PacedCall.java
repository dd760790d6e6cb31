package dev.comporta.client;

import dev.comporta.client.pacing.Departure;
import java.util.Optional;

/** One sending of a synchronous call, on its way through the filters. Of one thread. */
final class PacedCall {

  private final int number;
  private Optional<Departure.Left> left = Optional.empty();

  /** The number is 1 for the first sending of the call. */
  PacedCall(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  void leave(Departure.Left departure) {
    left = Optional.of(departure);
  }

  /** How it left, once: whoever takes it tells what came of it. Empty when it has not left. */
  Optional<Departure.Left> takeLeft() {
    Optional<Departure.Left> taken = left;
    left = Optional.empty();
    return taken;
  }
}
