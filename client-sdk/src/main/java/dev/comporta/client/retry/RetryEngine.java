package dev.comporta.client.retry;

import dev.comporta.client.retry.Attempt.Call;
import dev.comporta.client.retry.RetryDecision.Reason;
import dev.comporta.client.retry.RetryDecision.RetryAfter;
import dev.comporta.client.retry.Sending.Sent;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import jakarta.ws.rs.ProcessingException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request as often as the {@link RetryRules} and the budget say, with Resilience4j's {@link
 * Retry}. A response that is followed by another sending is discarded before the wait; the last one
 * is returned open. Thread-safe.
 */
public final class RetryEngine {

  private static final Duration LONG_WAIT = Duration.ofSeconds(1);

  private final RetryRules rules;
  private final RandomGenerator random;
  private final LongSupplier nowMicros;
  private final RetryAccount account;
  private final Retry retry;

  /**
   * An engine with a budget of its own, which all its calls share.
   *
   * @param nowMicros a clock that never steps
   */
  public RetryEngine(
      RetryRules rules, RetryBudget budget, RandomGenerator random, LongSupplier nowMicros) {
    this.rules = rules;
    this.random = random;
    this.nowMicros = nowMicros;
    this.account = new RetryAccount(budget, nowMicros.getAsLong());
    RetryConfig config =
        RetryConfig.<Outcome>custom()
            .maxAttempts(rules.maxAttempts())
            .retryOnResult(outcome -> outcome.decision() instanceof RetryAfter)
            .retryOnException(failure -> false)
            .intervalBiFunction((number, result) -> millis(result))
            .consumeResultBeforeRetryAttempt((number, outcome) -> outcome.finish())
            .build();
    this.retry = Retry.of("comporta", config);
  }

  /** An answer, what follows it, and who is told. */
  private record Outcome(Reply reply, RetryDecision decision, Course course) {

    void finish() {
      reply.discard();
      if (decision instanceof RetryAfter retry && retry.delay().compareTo(LONG_WAIT) >= 0) {
        course.beforeWait(retry.delay());
      }
    }
  }

  /**
   * Sends a request and returns the last response.
   *
   * @throws ProcessingException when the thread is interrupted while it waits, with an {@link
   *     InterruptedException} as its cause and the interrupt flag set
   */
  public <R extends Reply> R execute(Call call, Sending<R> sending, Course course) {
    AtomicInteger number = new AtomicInteger();
    AtomicReference<@Nullable R> last = new AtomicReference<>();
    account.sent();
    try {
      retry.executeSupplier(
          () -> {
            Sent<R> sent = sending.send(number.incrementAndGet());
            last.set(sent.reply());
            return outcome(call, number.get(), sent, course);
          });
    } catch (CancellationException interrupted) {
      if (!Thread.currentThread().isInterrupted()) {
        throw interrupted;
      }
      InterruptedException cause = new InterruptedException("interrupted before a retry");
      cause.initCause(interrupted);
      throw new ProcessingException(cause);
    }
    return Optional.ofNullable(last.get()).orElseThrow();
  }

  /** The same for a call that somebody else sends. */
  public Sendings begin(Call call, Course course) {
    account.sent();
    return new Sendings(call, course);
  }

  /** The sendings of one call. Of one thread at a time. */
  public final class Sendings {

    private final Retry.AsyncContext<Outcome> context = retry.asyncContext();
    private final Call call;
    private final Course course;
    private int number;

    private Sendings(Call call, Course course) {
      this.call = call;
      this.course = course;
    }

    /**
     * Decides what follows an answer. When the request is to be sent again, its reply has been
     * discarded.
     *
     * @return how long to wait before the next sending; empty when this was the last
     */
    public Optional<Duration> after(Sent<?> sent) {
      number++;
      Outcome outcome = outcome(call, number, sent, course);
      long millis = context.onResult(outcome);
      // The decision rules, and not the number: 0 is a wait.
      return outcome.decision() instanceof RetryAfter
          ? Optional.of(Duration.ofMillis(Math.max(0, millis)))
          : Optional.empty();
    }
  }

  private Outcome outcome(Call call, int number, Sent<?> sent, Course course) {
    Attempt attempt = new Attempt(call, number, sent.reply().status());
    RetryDecision decision = rules.decide(attempt, sent.snapshot(), random.nextDouble());
    if (decision instanceof RetryAfter && !account.tryTake(nowMicros.getAsLong())) {
      decision = new RetryDecision.Stop(Reason.BUDGET_EXHAUSTED);
    }
    course.decided(attempt, decision);
    return new Outcome(sent.reply(), decision, course);
  }

  /** Rounded up: a wait must not end before the hint does. Never throws, never negative. */
  private static long millis(Either<Throwable, Outcome> result) {
    return result.isRight() && result.get().decision() instanceof RetryAfter retry
        ? retry.delay().plusNanos(999_999).toMillis()
        : 0;
  }
}
