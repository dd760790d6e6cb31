package dev.comporta.client.retry;

import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Sends a request as often as the {@link RetryRules} say, with Resilience4j's {@link Retry}. A
 * response that is followed by another sending is closed before the wait; the last one is returned
 * open. Thread-safe.
 */
public final class RetryEngine {

  /** A refusal's text up to this length is read, so that its connection can be used again. */
  private static final int LARGEST_DRAINED = 2048;

  private static final Duration LONG_WAIT = Duration.ofSeconds(1);

  private final RetryRules rules;
  private final RandomGenerator random;
  private final Retry retry;

  public RetryEngine(RetryRules rules, RandomGenerator random) {
    this.rules = rules;
    this.random = random;
    RetryConfig config =
        RetryConfig.<Outcome>custom()
            .maxAttempts(rules.maxAttempts())
            .retryOnResult(outcome -> outcome.decision() instanceof RetryDecision.RetryAfter)
            .retryOnException(failure -> false)
            .intervalBiFunction((number, result) -> millis(result))
            .consumeResultBeforeRetryAttempt((number, outcome) -> outcome.finish())
            .build();
    this.retry = Retry.of("comporta", config);
  }

  /** An answer, what follows it, and who is told of a long wait. */
  private record Outcome(Response response, RetryDecision decision, Consumer<Duration> onLongWait) {

    void finish() {
      discard(response);
      if (decision instanceof RetryDecision.RetryAfter retry
          && retry.delay().compareTo(LONG_WAIT) >= 0) {
        onLongWait.accept(retry.delay());
      }
    }
  }

  /**
   * Sends a request and returns the last response.
   *
   * @param onLongWait told before each wait of a second or more
   * @throws ProcessingException when the thread is interrupted while it waits, with an {@link
   *     InterruptedException} as its cause and the interrupt flag set
   */
  public Response execute(
      String method, boolean isRepeatable, Sending sending, Consumer<Duration> onLongWait) {
    AtomicInteger number = new AtomicInteger();
    try {
      return retry
          .executeSupplier(
              () -> {
                Sending.Sent sent = sending.send(number.incrementAndGet());
                int status = sent.response().getStatus();
                Attempt attempt = new Attempt(method, isRepeatable, number.get(), status);
                RetryDecision decision =
                    rules.decide(attempt, sent.snapshot(), random.nextDouble());
                return new Outcome(sent.response(), decision, onLongWait);
              })
          .response();
    } catch (CancellationException interrupted) {
      if (!Thread.currentThread().isInterrupted()) {
        throw interrupted;
      }
      InterruptedException cause = new InterruptedException("interrupted before a retry");
      cause.initCause(interrupted);
      throw new ProcessingException(cause);
    }
  }

  private static void discard(Response refused) {
    try {
      if (refused.getLength() >= 0 && refused.getLength() <= LARGEST_DRAINED) {
        refused.bufferEntity();
      }
    } catch (ProcessingException unreadable) {
      // Draining only saves a connection; closing is what matters.
    } finally {
      refused.close();
    }
  }

  /** Rounded up: a wait must not end before the hint does. Never throws, never negative. */
  private static long millis(Either<Throwable, Outcome> result) {
    return result.isRight() && result.get().decision() instanceof RetryDecision.RetryAfter retry
        ? retry.delay().plusNanos(999_999).toMillis()
        : 0;
  }
}
