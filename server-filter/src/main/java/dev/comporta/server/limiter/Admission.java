package dev.comporta.server.limiter;

import dev.comporta.server.http.RateLimitHeaders;
import dev.comporta.server.http.Refusal;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.Map;
import java.util.Optional;

/**
 * What was decided of one request. It is left on the request, so that there is one decision however
 * often a filter runs: bound twice, or again after a forward. Thread-safe: a resource may charge
 * from the thread that streams its answer.
 */
public sealed interface Admission permits Admission.Free, Admission.Barred, Judged {

  /** The name of the request property that holds it. */
  String PROPERTY = "dev.comporta.server.admission";

  /** What was decided of that request, if anything was. */
  static Optional<Admission> of(ContainerRequestContext request) {
    return Optional.ofNullable((Admission) request.getProperty(PROPERTY));
  }

  /** Leaves it on the request. */
  default void leaveOn(ContainerRequestContext request) {
    request.setProperty(PROPERTY, this);
  }

  /** The answer in place of the resource's, unless the request passes. */
  Optional<Refusal> refusal();

  /** The headers that tell the caller where it stands now; empty if it is told nothing. */
  Map<String, String> headers(RateLimitHeaders dialects);

  /** Charges more, or gives back if negative. */
  void charge(long permits);

  /** Charges more if all limits have so many left, and says whether they had. */
  boolean tryCharge(long permits);

  /** Settles what was charged, now that the answer is known; once. */
  void settle(ContainerResponseContext response);

  /** Settles what was charged, now that the request has ended without an answer; once. */
  void settleFailed();

  /** Whether the outcome changes nothing any more. */
  boolean isSettled();

  /** The request is none of those that are limited: it passes, and is counted nowhere. */
  record Free() implements Admission {

    @Override
    public Optional<Refusal> refusal() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> headers(RateLimitHeaders dialects) {
      return Map.of();
    }

    @Override
    public void charge(long permits) {
      // Nothing is counted.
    }

    @Override
    public boolean tryCharge(long permits) {
      return true;
    }

    @Override
    public void settle(ContainerResponseContext response) {
      // Nothing was charged.
    }

    @Override
    public void settleFailed() {
      // Nothing was charged.
    }

    @Override
    public boolean isSettled() {
      return true;
    }
  }

  /**
   * The request is refused for who sent it, before any limit is asked.
   *
   * @param reason the answer
   */
  record Barred(Refusal reason) implements Admission {

    @Override
    public Optional<Refusal> refusal() {
      return Optional.of(reason);
    }

    @Override
    public Map<String, String> headers(RateLimitHeaders dialects) {
      return Map.of();
    }

    @Override
    public void charge(long permits) {
      // Nothing is counted.
    }

    @Override
    public boolean tryCharge(long permits) {
      return false;
    }

    @Override
    public void settle(ContainerResponseContext response) {
      // Nothing was charged.
    }

    @Override
    public void settleFailed() {
      // Nothing was charged.
    }

    @Override
    public boolean isSettled() {
      return true;
    }
  }
}
