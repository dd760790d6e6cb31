package dev.comporta.server.limiter;

import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.SharedChanges.Sighting;
import dev.comporta.server.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * How this works, and why. There is no thread: a request asks whether it is time, and one of those
 * that ask sends the question. None waits for the answer: it is laid down when it comes, and the
 * next request takes it up before it is decided. So what another node has changed acts here on
 * every request that comes when the period and one answer of the store have passed, while requests
 * come; the first one after a pause is decided by what was known before.
 *
 * A store that does not answer delays nobody and changes nothing: what is known stays in force.
 */
/** Looks what other nodes have changed, when that is due. Thread-safe. */
final class ChangeFollower {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeFollower.class);

  /** A question of which nothing is heard for so long is asked again. */
  private static final long GIVEN_UP_AFTER_MICROS = TimeUnit.SECONDS.toMicros(10);

  private final SharedChanges shared;
  private final RunningChanges changes;
  private final long periodMicros; // Long.MAX_VALUE if there is nothing to look for
  private final AtomicBoolean isAsking = new AtomicBoolean();
  private final AtomicReference<@Nullable Sighting> arrived = new AtomicReference<>(); // or null
  private volatile Question last = new Question(0, CompletableFuture.completedFuture(null));
  private volatile long dueMicros = Long.MIN_VALUE;
  private volatile Failing failing = Failing.NOT;

  /** A look that has been asked for. */
  private record Question(long askedMicros, CompletableFuture<?> answer) {}

  private enum Failing {
    NOT,
    FOR_NOW,
    FOR_GOOD
  }

  /**
   * Looks there once a period.
   *
   * @param changes who takes what is found
   */
  ChangeFollower(SharedChanges shared, RunningChanges changes, Duration period) {
    this.shared = shared;
    this.changes = changes;
    this.periodMicros =
        shared.isShared() ? TimeUnit.MILLISECONDS.toMicros(period.toMillis()) : Long.MAX_VALUE;
  }

  /** Looks for the first time, and waits for what there is. The first request takes it. */
  void begin(long nowMicros, Duration atMost) {
    if (!shared.isShared()) {
      return;
    }
    ask(nowMicros);
    try {
      last.answer().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException notYet) {
      LOG.debug("What running code has changed is not known yet", notYet);
    }
  }

  /**
   * Takes what has been found, and looks again if that is due. Costs two looks at memory if not.
   */
  void follow(long nowMicros) {
    if (arrived.get() != null) {
      take();
    }
    if (isDue(nowMicros) && isAsking.compareAndSet(false, true)) {
      try {
        if (isDue(nowMicros)) {
          ask(nowMicros);
          apart(changes::retry);
        }
      } finally {
        isAsking.set(false);
      }
    }
  }

  /* A clock that has been set back by more than a period must not stop it. */
  private boolean isDue(long nowMicros) {
    long due = dueMicros;
    return periodMicros != Long.MAX_VALUE && (nowMicros >= due || due - nowMicros > periodMicros);
  }

  private void ask(long nowMicros) {
    dueMicros = nowMicros + periodMicros;
    Question before = last;
    long waitedMicros = Math.abs(nowMicros - before.askedMicros());
    if (before.answer().isDone() || waitedMicros > GIVEN_UP_AFTER_MICROS) {
      last =
          new Question(
              nowMicros,
              shared.look(changes.version()).whenComplete(this::arrive).toCompletableFuture());
    }
  }

  private void arrive(@Nullable Sighting sighting, @Nullable Throwable failure) {
    if (failure != null) {
      tellFailed(failure);
    } else if (sighting != null) {
      tellWorks();
      if (sighting.all().isPresent()) {
        arrived.set(sighting);
      }
    }
  }

  private void take() {
    Sighting sighting = arrived.getAndSet(null);
    if (sighting != null) {
      apart(() -> changes.take(sighting));
    }
  }

  /* Whatever is wrong with what was found, it is not the fault of the request that took it up. */
  private static void apart(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException untakable) {
      LOG.error("What running code has changed on another node cannot be followed", untakable);
    }
  }

  private void tellFailed(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean isPermanent = cause instanceof StoreException known && known.isPermanent();
    Failing now = isPermanent ? Failing.FOR_GOOD : Failing.FOR_NOW;
    if (failing.compareTo(now) < 0) {
      String words =
          "What running code changes on other nodes cannot be seen; what is known stays in force: {}";
      String reason = Optional.ofNullable(cause.getMessage()).orElse(cause.toString());
      if (isPermanent) {
        LOG.error(words, reason);
      } else {
        LOG.warn(words, reason);
      }
      failing = now;
    }
  }

  private void tellWorks() {
    if (failing != Failing.NOT) {
      failing = Failing.NOT;
      LOG.info("What running code changes on other nodes is seen again");
    }
  }
}
