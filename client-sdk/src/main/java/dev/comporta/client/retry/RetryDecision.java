package dev.comporta.client.retry;

import java.time.Duration;

/** Whether a request is sent again. */
public sealed interface RetryDecision {

  /** It is sent again after that wait, which is not negative. */
  record RetryAfter(Duration delay) implements RetryDecision {}

  /** The caller gets the response as it is. */
  record Stop(Reason reason) implements RetryDecision {}

  /** Why a response is not retried. */
  enum Reason {
    /** It is no refusal for the rate of requests. */
    NOT_REFUSED,
    /** The server says that it must not be sent again. */
    FORBIDDEN,
    /** The request may have had an effect, and its method is not idempotent. */
    NOT_SAFE,
    /** The entity is consumed by sending it, such as a stream. */
    NOT_REPEATABLE,
    /** The request has been sent as often as the settings allow. */
    ATTEMPTS_EXHAUSTED,
    /** The server asks for a wait longer than the settings allow. */
    WAIT_TOO_LONG,
    /** The client has repeated as many of its requests as its budget allows. */
    BUDGET_EXHAUSTED
  }
}
