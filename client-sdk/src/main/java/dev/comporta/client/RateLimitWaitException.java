package dev.comporta.client;

import jakarta.ws.rs.ProcessingException;
import java.time.Duration;

/**
 * Thrown when a request would have to be held back for longer than {@link
 * RateLimitedClient.Options#maxWait} so as not to be refused. It has not been sent.
 */
public final class RateLimitWaitException extends ProcessingException {

  private static final long serialVersionUID = 1L;

  private final Duration delay;

  RateLimitWaitException(String origin, Duration delay, Duration maxWait) {
    super(
        "not sent: the rate limit of %s needs a wait of %s, maxWait is %s"
            .formatted(origin, delay, maxWait));
    this.delay = delay;
  }

  /** The time after which a request can be sent, as far as it is known. */
  public Duration delay() {
    return delay;
  }
}
