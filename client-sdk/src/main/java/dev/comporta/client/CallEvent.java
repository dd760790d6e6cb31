package dev.comporta.client;

import dev.comporta.client.retry.RetryDecision;
import java.time.Duration;
import java.util.Optional;

/** What a limit did to a call. All of a call that meets no limit is silent. */
public sealed interface CallEvent {

  /** Scheme, host and port of the server. */
  String origin();

  /**
   * A call begins to wait for a second or more.
   *
   * @param delay how long, as far as it is known; an answer to another call may shorten it
   * @param cause why
   */
  record Waiting(String origin, Duration delay, Cause cause) implements CallEvent {}

  /** Why a call waits. */
  enum Cause {
    /** So that it is not refused. */
    PACING,
    /** It was refused, and is sent again. */
    RETRY
  }

  /**
   * The server has turned a call away for its rate.
   *
   * @param status of the answer
   * @param requestId the id that the server gave the request, if it did
   */
  record Refused(String origin, int status, Optional<String> requestId) implements CallEvent {}

  /**
   * A call that was refused is sent again after a wait.
   *
   * @param sendings how often it was sent before, 1 or more
   * @param delay how long it waits
   */
  record Retried(String origin, int sendings, Duration delay) implements CallEvent {}

  /**
   * A call that was refused is not sent again; the caller gets the refusal.
   *
   * @param sendings how often it was sent, 1 or more
   * @param reason why it is not
   */
  record GaveUp(String origin, int sendings, RetryDecision.Reason reason) implements CallEvent {}

  /**
   * A call was not sent, since it would have had to wait for too long; the caller gets a {@link
   * RateLimitWaitException}.
   *
   * @param bucket the bucket of the server, as its answers name it
   * @param delay how long it would have waited, as far as it is known
   * @param reason which bound it would have crossed
   */
  record NotSent(
      String origin, Optional<String> bucket, Duration delay, RateLimitWaitException.Reason reason)
      implements CallEvent {}
}
