package dev.comporta.client;

import dev.comporta.client.PacedCall.Waiting;
import dev.comporta.client.pacing.Departure;
import dev.comporta.client.pacing.Route;
import dev.comporta.client.pacing.Timeline;
import dev.comporta.client.retry.Reply;
import dev.comporta.client.retry.RetryEngine;
import dev.comporta.client.retry.Sending.Sent;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call from its first wait to its last answer, in which no thread waits. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // The result tells all.
final class LaterCall<R extends Reply> {

  /*
   * How this works, and why
   *
   * Where a request goes, and for whom, is known when the filters of the application have run, and
   * they run when it is being sent, in a thread of the HTTP client. A wait there would hold that
   * thread. So a call waits first where it will probably go; when it is let go, it is sent, and if
   * the last filter sees that it goes there, it goes. If not, that filter asks without waiting. When
   * the request has to wait, the sending is given up by an exception, the call waits outside, and
   * is sent anew when it may: its filters run a second time, and nothing has been sent before.
   *
   * The law: a call is in one of three states, and holds a thread in none of them: it waits for a
   * departure, for an answer, or for a retry. The future of the caller, cancelled, ends what it
   * waits for. A departure or an answer that comes nevertheless is given back, or discarded.
   */

  private final Exchange exchange;
  private final Outgoing request;
  private final Exchange.LaterSender<R> sender;
  private final CallCourse course;
  private final RetryEngine.Sendings sendings;
  private final @Nullable ClassLoader contextLoader =
      Thread.currentThread().getContextClassLoader();
  private final CompletableFuture<R> result = new CompletableFuture<>();

  /** Ends what the call waits for. */
  private Runnable end = () -> {};

  LaterCall(
      Exchange exchange,
      Outgoing request,
      Exchange.LaterSender<R> sender,
      CallCourse course,
      RetryEngine.Sendings sendings) {
    this.exchange = exchange;
    this.request = request;
    this.sender = sender;
    this.course = course;
    this.sendings = sendings;
  }

  CompletableFuture<R> begin() {
    result.whenComplete((reply, failure) -> ended());
    attempt(1);
    return result;
  }

  private void attempt(int number) {
    PacedCall call = course.sending(number, Waiting.LATER);
    Optional<Route> guess = request.route().filter(exchange.guesses()::isTrusted);
    if (exchange.isPacing() && guess.isPresent()) {
      await(call, guess.get(), exchange.depart(call, guess.get()));
    } else {
      send(call);
    }
  }

  private void await(PacedCall call, Route route, CompletableFuture<Departure> departure) {
    waitsFor(() -> departure.cancel(false));
    departure.whenComplete(
        (departed, failure) -> {
          if (failure != null) {
            fail(failure);
            return;
          }
          try {
            call.leave(exchange.leftOrThrow(route, departed, call.refusedBefore()));
          } catch (RuntimeException | Error thrown) {
            fail(thrown);
            return;
          }
          send(call);
        });
  }

  private void send(PacedCall call) {
    if (result.isDone()) {
      exchange.lost(call);
      return;
    }
    // The request is under way, and its answer has to be discarded by us: nothing to end.
    waitsFor(() -> {});
    CompletionStage<R> stage;
    try {
      stage = inContext(call);
    } catch (RuntimeException | Error thrown) {
      stage = CompletableFuture.failedFuture(thrown);
    }
    stage.whenComplete((reply, failure) -> told(call, reply, failure));
  }

  /** Sends it with the class loader of the caller, which the HTTP client may look into. */
  private CompletionStage<R> inContext(PacedCall call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(contextLoader);
    try {
      return sender.send(call);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private void told(PacedCall call, @Nullable R reply, @Nullable Throwable failure) {
    if (reply != null) {
      answered(call, reply);
      return;
    }
    Optional<CompletableFuture<Departure>> awaited = call.takeAwaited();
    if (awaited.isPresent()) {
      await(call, call.route().orElseThrow(), awaited.get());
      return;
    }
    exchange.lost(call);
    fail(failure == null ? new IllegalStateException("no response and no failure") : failure);
  }

  private void answered(PacedCall call, R reply) {
    try {
      Sent<R> sent = exchange.learn(request, call, reply, course);
      if (result.isDone()) {
        reply.discard();
        return;
      }
      Optional<Duration> delay = sendings.after(sent);
      if (delay.isPresent()) {
        repeat(call.number() + 1, delay.get());
      } else if (!result.complete(reply)) {
        reply.discard();
      }
    } catch (RuntimeException | Error thrown) {
      reply.discard();
      fail(thrown);
    }
  }

  private void repeat(int number, Duration delay) {
    CompletableFuture<Timeline.Timer> timer = new CompletableFuture<>();
    waitsFor(() -> timer.thenAccept(Timeline.Timer::cancel));
    timer.complete(
        exchange.timeline().after(delay.toNanos() / 1000, () -> attempt(number), this::fail));
  }

  private void fail(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    result.completeExceptionally(cause);
  }

  /** If the call is over already, that is ended at once. */
  private void waitsFor(Runnable endOfIt) {
    synchronized (this) {
      end = endOfIt;
    }
    if (result.isDone()) {
      endOfIt.run();
    }
  }

  private void ended() {
    Runnable last;
    synchronized (this) {
      last = end;
    }
    last.run();
  }
}
