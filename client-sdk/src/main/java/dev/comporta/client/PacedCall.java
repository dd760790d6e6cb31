package dev.comporta.client;

import dev.comporta.client.pacing.Departure;
import dev.comporta.client.pacing.Route;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One sending of a call, on its way through the filters. Thread-safe. */
final class PacedCall {

  /** How a call waits when it has to. */
  enum Waiting {
    /** In its thread. */
    HERE,
    /** Without a thread: the sending is given up, and made anew when the wait is over. */
    LATER
  }

  private final int number;
  private final Waiting waiting;
  private final Optional<String> idempotencyKey;
  private final Optional<String> refusedBefore;
  private Optional<Departure.Left> left = Optional.empty();
  private Optional<CompletableFuture<Departure>> awaited = Optional.empty();
  private Optional<Route> route = Optional.empty();

  /** The number is 1 for the first sending of the call. */
  PacedCall(
      int number,
      Waiting waiting,
      Optional<String> idempotencyKey,
      Optional<String> refusedBefore) {
    this.refusedBefore = refusedBefore;
    this.number = number;
    this.waiting = waiting;
    this.idempotencyKey = idempotencyKey;
  }

  int number() {
    return number;
  }

  Waiting waiting() {
    return waiting;
  }

  /** The key that the request is to carry, the same for all sendings of a call. */
  Optional<String> idempotencyKey() {
    return idempotencyKey;
  }

  /** The id that the server gave the refusal before. */
  Optional<String> refusedBefore() {
    return refusedBefore;
  }

  synchronized void leave(Departure.Left departure) {
    left = Optional.of(departure);
  }

  /** How it left, once: whoever takes it tells what came of it. Empty when it has not left. */
  synchronized Optional<Departure.Left> takeLeft() {
    Optional<Departure.Left> taken = left;
    left = Optional.empty();
    return taken;
  }

  synchronized void await(CompletableFuture<Departure> departure, Route to) {
    awaited = Optional.of(departure);
    route = Optional.of(to);
  }

  /** Where it turned out to go when it had to wait. */
  synchronized Optional<Route> route() {
    return route;
  }

  /** What it has to wait for before it is sent anew, once. */
  synchronized Optional<CompletableFuture<Departure>> takeAwaited() {
    Optional<CompletableFuture<Departure>> taken = awaited;
    awaited = Optional.empty();
    return taken;
  }
}
