package dev.comporta.client.pacing;

import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;

/** The time as the client sees it, so that tests can have another. Thread-safe. */
public interface Timeline {

  /** Micros of a clock that never steps, from any origin. */
  long nowMicros();

  /** The time of day, which may step; only to read dates against it. */
  Instant wallClock();

  /**
   * Waits until the condition is signalled or that many micros have passed, or for no reason.
   *
   * @param micros above 0
   * @throws InterruptedException when the thread is interrupted, at once
   */
  void await(Condition condition, long micros) throws InterruptedException;

  /**
   * Runs a task when that many micros have passed. No thread waits for it, and it never runs in the
   * thread that asks for it.
   *
   * @param micros 0 or more
   * @param onRejected told, with the reason, when whoever runs tasks does not take this one; it is
   *     then not run
   */
  Timer after(long micros, Runnable task, Consumer<Throwable> onRejected);

  /** A task that is yet to run. */
  @FunctionalInterface
  interface Timer {

    /** Calls it off, if it has not begun. */
    void cancel();
  }
}
