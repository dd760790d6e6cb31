package dev.comporta.client;

import java.time.Duration;

/**
 * Told before a call waits for a second or more. Called in the thread that is about to wait, which
 * holds no lock; several threads may call it at the same time. What it throws ends the call.
 */
@FunctionalInterface
public interface WaitListener {

  /**
   * A call is about to wait.
   *
   * @param origin scheme, host and port of the server
   * @param delay how long, as far as it is known; an answer to another call may shorten it
   */
  void beforeWait(String origin, Duration delay);
}
