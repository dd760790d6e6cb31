package dev.comporta.client.retry;

import dev.comporta.client.header.RateLimitSnapshot;
import jakarta.ws.rs.core.Response;

/** Sends a request, once for each call. */
@FunctionalInterface
public interface Sending {

  /**
   * Sends it and waits for the answer.
   *
   * @param number 1 for the first sending
   */
  Sent send(int number);

  /**
   * An answer.
   *
   * @param response the response, open
   * @param snapshot what its header tells
   */
  record Sent(Response response, RateLimitSnapshot snapshot) {}
}
