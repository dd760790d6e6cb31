package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether a response turns its request away for the rate of requests, and what the server says
 * about sending it again. Immutable.
 *
 * @param isRefusal whether the request was turned away for its rate, by the status alone (429) or
 *     by what the vendor's documents name as its sign, such as GitHub's 403 with nothing remaining
 * @param resending what the server says about sending the request again
 * @param usualWait the wait that the vendor's documents ask for after a refusal that tells none
 */
public record Throttle(boolean isRefusal, Resending resending, Optional<Duration> usualWait) {

  /** Told by a response that says nothing about rates. */
  public static final Throttle NONE = new Throttle(false, Resending.NOT_TOLD, Optional.empty());

  /** Told by a 429 that says no more. */
  static final Throttle REFUSED = new Throttle(true, Resending.NOT_TOLD, Optional.empty());

  /** What a server says about sending a request again. */
  public enum Resending {
    /** Nothing; status and method decide. */
    NOT_TOLD,
    /** It may be sent again, such as by {@code x-should-retry: true}. */
    ALLOWED,
    /** It must not be sent again, such as by {@code Stripe-Should-Retry: false}. */
    FORBIDDEN
  }
}
