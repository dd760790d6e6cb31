package dev.comporta.client;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.ResponseHead;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Buckets;
import dev.comporta.client.pacing.Departure;
import dev.comporta.client.pacing.Route;
import dev.comporta.client.pacing.Timeline;
import dev.comporta.client.retry.RetryEngine;
import dev.comporta.client.retry.RetryRules;
import dev.comporta.client.retry.Sending.Sent;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Sends requests within their limits: holds them back, learns from answers, sends again. */
final class Exchange {

  /** Sends a request once, with the call as its property {@link PacingFilter#CALL}. */
  @FunctionalInterface
  interface Sender {
    Response send(PacedCall call);
  }

  private final Options options;
  private final Timeline timeline;
  private final Buckets buckets;
  private final RetryEngine engine;

  Exchange(Options options, Timeline timeline, RandomGenerator generator) {
    this.options = options;
    this.timeline = timeline;
    RandomGenerator random = new SharedRandom(generator);
    this.buckets = new Buckets(timeline, random, options.pacing());
    this.engine = new RetryEngine(new RetryRules(options.maxAttempts(), options.maxWait()), random);
  }

  /** Sends a request; the sender sends it once, with a fresh invocation each time. */
  Response send(Request request, Sender sender) {
    return engine.execute(
        request.method(),
        request.isRepeatable(),
        number -> once(request.origin(), new PacedCall(number), sender),
        delay -> options.listener().beforeWait(request.origin(), delay));
  }

  /**
   * Waits until a request may leave.
   *
   * @param route where it goes and for whom, as it is about to be sent
   * @throws RateLimitWaitException when that would take too long
   * @throws ProcessingException when the thread is interrupted
   */
  void hold(PacedCall call, Route route) {
    call.takeLeft().ifPresent(buckets::lost);
    try {
      Departure departure =
          buckets.enter(
              route,
              call.number() > 1,
              options.maxWait(),
              delay -> options.listener().beforeWait(route.origin(), delay));
      if (departure instanceof Departure.TooLong tooLong) {
        throw new RateLimitWaitException(route.origin(), tooLong.delay(), options.maxWait());
      }
      call.leave((Departure.Left) departure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ProcessingException(interrupted);
    }
  }

  /** Learns from the answer to a request that was sent without being held back. */
  void observe(Route route, long sentMicros, int status, Map<String, List<String>> headers) {
    ResponseHead head =
        new ResponseHead(
            Routes.host(route.origin()), status, headers, timeline.wallClock(), Optional.empty());
    RateLimitSnapshot snapshot = HeaderReader.read(head, options.dialects());
    buckets.observed(route, sentMicros, answer(status, snapshot));
  }

  long nowMicros() {
    return timeline.nowMicros();
  }

  private Sent once(String origin, PacedCall call, Sender sender) {
    try {
      Response response = sender.send(call);
      RateLimitSnapshot snapshot = snapshot(origin, response);
      Answer answer = answer(response.getStatus(), snapshot);
      call.takeLeft().ifPresent(left -> buckets.answered(left, answer));
      return new Sent(response, snapshot);
    } finally {
      call.takeLeft().ifPresent(buckets::lost);
    }
  }

  private RateLimitSnapshot snapshot(String origin, Response response) {
    ResponseHead head =
        new ResponseHead(
            Routes.host(origin),
            response.getStatus(),
            response.getStringHeaders(),
            timeline.wallClock(),
            RefusalText.of(response));
    return HeaderReader.read(head, options.dialects());
  }

  private static Answer answer(int status, RateLimitSnapshot snapshot) {
    return new Answer(snapshot, RetryRules.isRefusal(status, snapshot));
  }
}
