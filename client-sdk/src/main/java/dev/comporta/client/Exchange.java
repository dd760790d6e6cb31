package dev.comporta.client;

import dev.comporta.client.CallEvent.Cause;
import dev.comporta.client.PacedCall.Waiting;
import dev.comporta.client.RateLimitedClient.Options;
import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.ResponseHead;
import dev.comporta.client.pacing.Answer;
import dev.comporta.client.pacing.Buckets;
import dev.comporta.client.pacing.Departure;
import dev.comporta.client.pacing.Pacing;
import dev.comporta.client.pacing.Route;
import dev.comporta.client.pacing.Timeline;
import dev.comporta.client.retry.Reply;
import dev.comporta.client.retry.RetryEngine;
import dev.comporta.client.retry.RetryRules;
import dev.comporta.client.retry.Sending.Sent;
import jakarta.ws.rs.ProcessingException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** Sends requests within their limits: holds them back, learns from answers, sends again. */
final class Exchange {

  /** What is not idempotent, and may be made so by a key. */
  private static final Set<String> KEYED = Set.of("POST", "PATCH");

  /** Sends a request once; the call is with it when its filters run. */
  @FunctionalInterface
  interface Sender<R extends Reply> {
    R send(PacedCall call);
  }

  /** The same without waiting for the answer. */
  @FunctionalInterface
  interface LaterSender<R extends Reply> {
    CompletionStage<R> send(PacedCall call);
  }

  private final Options options;
  private final Timeline timeline;
  private final Buckets buckets;
  private final Guesses guesses = new Guesses();
  private final RetryEngine engine;
  private final Told told;

  Exchange(Options options, Timeline timeline, RandomGenerator generator) {
    this.options = options;
    this.timeline = timeline;
    this.told = new Told(options);
    RandomGenerator random = new SharedRandom(generator);
    this.buckets = new Buckets(timeline, random, options.pacing(), options.maxWaiting());
    this.engine =
        new RetryEngine(
            new RetryRules(options.maxAttempts(), options.maxWait()),
            options.retryBudget(),
            random,
            timeline::nowMicros);
  }

  /** The first sending of a request that somebody else sends, with its key. */
  PacedCall first(Outgoing request) {
    return new PacedCall(1, Waiting.HERE, idempotencyKey(request), Optional.empty());
  }

  /** Sends a request; the sender sends it once, with a fresh invocation each time. */
  <R extends Reply> R send(Outgoing request, Sender<R> sender) {
    Optional<String> key = idempotencyKey(request);
    CallCourse course = new CallCourse(request, told, key);
    return engine.execute(
        request.call(key),
        number -> once(request, course.sending(number, Waiting.HERE), sender, course),
        course);
  }

  /**
   * Sends a request without a thread that waits. Cancelling what is returned ends the call: a wait
   * at once, and then nothing is sent; the answer to a request that is under way is discarded.
   */
  <R extends Reply> CompletableFuture<R> sendLater(Outgoing request, LaterSender<R> sender) {
    Optional<String> key = idempotencyKey(request);
    CallCourse course = new CallCourse(request, told, key);
    LaterCall<R> call =
        new LaterCall<>(this, request, sender, course, engine.begin(request.call(key), course));
    return call.begin();
  }

  /**
   * Waits until a request may leave; for a call that waits without a thread, sees whether it may
   * leave at once.
   *
   * @param route where it goes and for whom, as it is about to be sent
   * @throws RateLimitWaitException when that would take too long
   * @throws HeldBackException when it has to wait without a thread
   * @throws ProcessingException when the thread is interrupted
   */
  void hold(PacedCall call, Route route) {
    Optional<Departure.Left> left = call.takeLeft();
    if (left.isPresent() && left.get().route().equals(route)) {
      call.leave(left.get());
      return;
    }
    left.ifPresent(buckets::lost);
    if (call.waiting() == Waiting.LATER) {
      CompletableFuture<Departure> departure = depart(call, route);
      if (departure.isDone()
          && !departure.isCompletedExceptionally()
          && departure.join() instanceof Departure.Left atOnce) {
        call.leave(atOnce);
        return;
      }
      call.await(departure, route);
      throw new HeldBackException();
    }
    try {
      Departure departure =
          buckets.enter(
              route,
              call.number() > 1,
              options.maxWait(),
              delay -> told.beforeWait(route.origin(), delay, Cause.PACING));
      call.leave(leftOrThrow(route, departure, call.refusedBefore()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ProcessingException(interrupted);
    }
  }

  /** Begins a wait without a thread. */
  CompletableFuture<Departure> depart(PacedCall call, Route route) {
    return buckets.enterLater(
        route,
        call.number() > 1,
        options.maxWait(),
        delay -> told.beforeWait(route.origin(), delay, Cause.PACING));
  }

  Departure.Left leftOrThrow(Route route, Departure departure, Optional<String> requestId) {
    if (departure instanceof Departure.Left left) {
      return left;
    }
    RateLimitWaitException thrown =
        departure instanceof Departure.TooLong tooLong
            ? RateLimitWaitException.of(route.origin(), tooLong, options.maxWait(), requestId)
            : RateLimitWaitException.of(route.origin(), (Departure.Crowded) departure, requestId);
    told.on(
        new CallEvent.NotSent(route.origin(), thrown.bucket(), thrown.delay(), thrown.reason()));
    throw thrown;
  }

  boolean isPacing() {
    return options.pacing() != Pacing.OFF;
  }

  Guesses guesses() {
    return guesses;
  }

  Timeline timeline() {
    return timeline;
  }

  Optional<String> idempotencyHeader() {
    return options.idempotencyHeader();
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

  private <R extends Reply> Sent<R> once(
      Outgoing request, PacedCall call, Sender<R> sender, CallCourse course) {
    try {
      return learn(request, call, sender.send(call), course);
    } finally {
      lost(call);
    }
  }

  /** Learns from the answer to a call. */
  <R extends Reply> Sent<R> learn(Outgoing request, PacedCall call, R reply, CallCourse course) {
    RateLimitSnapshot snapshot = snapshot(request.origin(), reply);
    Answer answer = answer(reply.status(), snapshot);
    call.takeLeft().ifPresent(left -> buckets.answered(left, answer));
    course.answered(reply);
    return new Sent<>(reply, snapshot);
  }

  /** No answer came to a call that has left, if it has. */
  void lost(PacedCall call) {
    call.takeLeft().ifPresent(buckets::lost);
  }

  private Optional<String> idempotencyKey(Outgoing request) {
    boolean isKeyed =
        options.idempotencyHeader().isPresent()
            && !request.hasIdempotencyKey()
            && KEYED.contains(request.method().toUpperCase(Locale.ROOT));
    return isKeyed ? Optional.of(UUID.randomUUID().toString()) : Optional.empty();
  }

  private RateLimitSnapshot snapshot(String origin, Reply reply) {
    ResponseHead head =
        new ResponseHead(
            Routes.host(origin),
            reply.status(),
            reply.headers(),
            timeline.wallClock(),
            reply.refusalText());
    return HeaderReader.read(head, options.dialects());
  }

  private static Answer answer(int status, RateLimitSnapshot snapshot) {
    return new Answer(snapshot, RetryRules.isRefusal(status, snapshot));
  }
}
