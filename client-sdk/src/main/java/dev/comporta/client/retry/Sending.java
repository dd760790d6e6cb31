package dev.comporta.client.retry;

import dev.comporta.client.header.RateLimitSnapshot;

/** Sends a request, once for each call. */
@FunctionalInterface
public interface Sending<R extends Reply> {

  /**
   * Sends it and waits for the answer.
   *
   * @param number 1 for the first sending
   */
  Sent<R> send(int number);

  /**
   * An answer.
   *
   * @param reply the response, open
   * @param snapshot what its header tells
   */
  record Sent<R extends Reply>(R reply, RateLimitSnapshot snapshot) {}
}
