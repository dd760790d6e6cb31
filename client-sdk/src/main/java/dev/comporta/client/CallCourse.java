package dev.comporta.client;

import dev.comporta.client.PacedCall.Waiting;
import dev.comporta.client.retry.Attempt;
import dev.comporta.client.retry.Course;
import dev.comporta.client.retry.Reply;
import dev.comporta.client.retry.RetryDecision;
import dev.comporta.client.retry.RetryDecision.Reason;
import java.time.Duration;
import java.util.Optional;

/** How one call goes on, told to the listeners. Of one thread at a time. */
final class CallCourse implements Course {

  private final Outgoing request;
  private final Told told;
  private final Optional<String> idempotencyKey;
  private Optional<String> requestId = Optional.empty();

  /** The key is the same for all sendings. */
  CallCourse(Outgoing request, Told told, Optional<String> idempotencyKey) {
    this.idempotencyKey = idempotencyKey;
    this.request = request;
    this.told = told;
  }

  /** The next sending of it. */
  PacedCall sending(int number, Waiting waiting) {
    return new PacedCall(number, waiting, idempotencyKey, requestId);
  }

  void answered(Reply reply) {
    requestId = RequestId.of(reply.headers());
  }

  @Override
  public void decided(Attempt attempt, RetryDecision decision) {
    if (decision instanceof RetryDecision.Stop stop && stop.reason() == Reason.NOT_REFUSED) {
      return;
    }
    told.on(new CallEvent.Refused(request.origin(), attempt.status(), requestId));
    if (decision instanceof RetryDecision.RetryAfter retry) {
      told.on(new CallEvent.Retried(request.origin(), attempt.number(), retry.delay()));
    }
    if (decision instanceof RetryDecision.Stop stop) {
      told.on(new CallEvent.GaveUp(request.origin(), attempt.number(), stop.reason()));
    }
  }

  @Override
  public void beforeWait(Duration delay) {
    told.beforeWait(request.origin(), delay, CallEvent.Cause.RETRY);
  }
}
