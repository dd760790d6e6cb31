package dev.comporta.client;

import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Buckets;
import dev.comporta.client.pacing.Passage;
import dev.comporta.client.pacing.Route;
import dev.comporta.client.pacing.Ticket;
import dev.comporta.client.pacing.Timeline;
import dev.comporta.client.retry.RetryEngine;
import dev.comporta.client.retry.RetryRules;
import dev.comporta.client.retry.Sending.Sent;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Sends requests within their limits: holds them back, learns from answers, sends again. */
final class Exchange {

  private final Options options;
  private final Timeline timeline;
  private final Buckets buckets;
  private final RetryEngine engine;

  Exchange(Options options, Timeline timeline, RandomGenerator generator) {
    this.options = options;
    this.timeline = timeline;
    RandomGenerator random = new SharedRandom(generator);
    this.buckets = new Buckets(timeline, random);
    this.engine = new RetryEngine(new RetryRules(options.maxAttempts(), options.maxWait()), random);
  }

  /** Sends a request; the supplier sends it once, with a fresh invocation each time. */
  Response send(Request request, Supplier<Response> sender) {
    Route route = request.route();
    return engine.execute(
        route.method(),
        request.isRepeatable(),
        number -> options.pacing() == PacingMode.OFF ? once(sender) : paced(route, number, sender),
        delay -> options.listener().beforeWait(route.origin(), delay));
  }

  /** Learns from the answer to a request that was sent without being held back. */
  void observe(Route route, long sentMicros, int status, Map<String, List<String>> headers) {
    RateLimitSnapshot snapshot = HeaderReader.read(status, headers, timeline.wallClock());
    buckets.observed(route, sentMicros, answer(status, snapshot));
  }

  long nowMicros() {
    return timeline.nowMicros();
  }

  private Sent once(Supplier<Response> sender) {
    Response response = sender.get();
    return new Sent(response, snapshot(response));
  }

  private Sent paced(Route route, int number, Supplier<Response> sender) {
    Buckets.Entrance entrance = buckets.entrance(route);
    Ticket ticket = enter(route, number, entrance);
    boolean isAnswered = false;
    try {
      Response response = sender.get();
      isAnswered = true;
      RateLimitSnapshot snapshot = snapshot(response);
      buckets.answered(route, entrance, ticket, answer(response.getStatus(), snapshot));
      return new Sent(response, snapshot);
    } finally {
      if (!isAnswered) {
        entrance.gate().lost(ticket);
      }
    }
  }

  private Ticket enter(Route route, int number, Buckets.Entrance entrance) {
    try {
      Passage passage =
          entrance
              .gate()
              .enter(
                  number > 1,
                  options.maxWait(),
                  delay -> options.listener().beforeWait(route.origin(), delay));
      if (passage instanceof Passage.Entered entered) {
        return entered.ticket();
      }
      throw new RateLimitWaitException(
          route.origin(), ((Passage.TooLong) passage).delay(), options.maxWait());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ProcessingException(interrupted);
    }
  }

  private RateLimitSnapshot snapshot(Response response) {
    return HeaderReader.read(
        response.getStatus(), response.getStringHeaders(), timeline.wallClock());
  }

  private static Answer answer(int status, RateLimitSnapshot snapshot) {
    return new Answer(snapshot, RetryRules.isRefusal(status, snapshot));
  }
}
