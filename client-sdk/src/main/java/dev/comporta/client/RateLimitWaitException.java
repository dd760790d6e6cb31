package dev.comporta.client;

import dev.comporta.client.pacing.Departure;
import jakarta.ws.rs.ProcessingException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request would have to be held back for longer than {@link
 * RateLimitedClient.Options#maxWait}, or behind more than {@link
 * RateLimitedClient.Options#maxWaiting} others, so as not to be refused. It has not been sent.
 */
public final class RateLimitWaitException extends ProcessingException {

  private static final long serialVersionUID = 1L;

  /** Why a request was given up. */
  public enum Reason {
    /** The wait would be longer than {@link RateLimitedClient.Options#maxWait}. */
    WAIT_TOO_LONG,
    /** {@link RateLimitedClient.Options#maxWaiting} requests wait for the bucket already. */
    QUEUE_FULL
  }

  private final Duration delay;
  private final Reason reason;
  // Exceptions are serializable, and Optional is not.
  private final @Nullable String bucket;
  private final @Nullable String requestId;

  private RateLimitWaitException(
      String message,
      Duration delay,
      Reason reason,
      Optional<String> bucket,
      Optional<String> requestId) {
    super(message);
    this.delay = delay;
    this.reason = reason;
    this.bucket = bucket.orElse(null);
    this.requestId = requestId.orElse(null);
  }

  static RateLimitWaitException of(
      String origin, Departure.TooLong tooLong, Duration maxWait, Optional<String> requestId) {
    String message =
        "not sent: the rate limit%s of %s needs a wait of %s, maxWait is %s%s"
            .formatted(named(tooLong.bucket()), origin, tooLong.delay(), maxWait, after(requestId));
    return new RateLimitWaitException(
        message, tooLong.delay(), Reason.WAIT_TOO_LONG, tooLong.bucket(), requestId);
  }

  static RateLimitWaitException of(
      String origin, Departure.Crowded crowded, Optional<String> requestId) {
    String message =
        "not sent: %d requests wait for the rate limit%s of %s, the first of them for %s%s"
            .formatted(
                crowded.waiting(),
                named(crowded.bucket()),
                origin,
                crowded.delay(),
                after(requestId));
    return new RateLimitWaitException(
        message, crowded.delay(), Reason.QUEUE_FULL, crowded.bucket(), requestId);
  }

  /**
   * The time after which a request can be sent, as far as it is known; where the queue is full,
   * after which the first of those that wait can.
   */
  public Duration delay() {
    return delay;
  }

  /** Why it was given up. */
  public Reason reason() {
    return reason;
  }

  /** The bucket of the server, as its answers name it; empty before there were any. */
  public Optional<String> bucket() {
    return Optional.ofNullable(bucket);
  }

  /** The id that the server gave the refusal before, where the request was sent before. */
  public Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  private static String named(Optional<String> bucket) {
    return bucket.map(name -> " \"" + name + "\"").orElse("");
  }

  private static String after(Optional<String> requestId) {
    return requestId.map(id -> "; it was refused before, request id " + id).orElse("");
  }
}
