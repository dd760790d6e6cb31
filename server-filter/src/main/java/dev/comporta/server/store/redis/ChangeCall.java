package dev.comporta.server.store.redis;

import dev.comporta.server.store.SharedChanges.Outcome;
import dev.comporta.server.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.redisson.api.RScript;

/** One call of a script that looks at changes or writes them. It is never sent twice. */
final class ChangeCall {

  /** An operator waits for it, and no request does. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private final String key;
  private final String text;
  private final Object[] arguments;
  private final CompletableFuture<List<Object>> reply = new CompletableFuture<>();
  private volatile boolean isSent;

  /**
   * A call that has not been sent.
   *
   * @param key the one key of the script
   */
  ChangeCall(String key, String text, Object... arguments) {
    this.key = key;
    this.text = text;
    this.arguments = arguments;
  }

  /** The reply, later; fails with {@link StoreException}. Once it is cancelled, nothing is sent. */
  CompletableFuture<List<Object>> reply() {
    return reply;
  }

  /** Sends it once there is a connection; returns at once. */
  @SuppressWarnings("FutureReturnValueIgnored") // All that happens is told by the reply.
  void begin(CompletionStage<RScript> connected) {
    connected
        .thenCompose(this::send)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                reply.complete(answer);
              } else {
                isSent = isSent && !RedisFailures.isUnsent(failure);
                reply.completeExceptionally(RedisFailures.of(failure));
              }
            });
  }

  /** Waits for the reply of a call that writes. Never throws. */
  Outcome await(Function<List<Object>, Outcome> reading) {
    try {
      return reading.apply(reply.get(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return failed("interrupted");
    } catch (TimeoutException late) {
      return failed("Redis gave no answer within " + LONGEST_WAIT.toSeconds() + " s");
    } catch (ExecutionException failed) {
      StoreException known = RedisFailures.of(failed);
      return new Outcome.Failed(
          String.valueOf(known.getMessage()), isSent && !RedisFailures.isReply(known));
    }
  }

  private Outcome failed(String reason) {
    boolean mayBeWritten = isSent;
    reply.cancel(false);
    return new Outcome.Failed(reason, mayBeWritten || isSent);
  }

  private CompletionStage<List<Object>> send(RScript script) {
    if (reply.isDone()) {
      return CompletableFuture.failedFuture(new StoreException("nobody waits any more"));
    }
    isSent = true;
    return script.evalAsync(
        RScript.Mode.READ_WRITE, text, RScript.ReturnType.LIST, List.of(key), arguments);
  }
}
