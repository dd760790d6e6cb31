package dev.comporta.server.store;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Waits as the guard does, and keeps the longest time that was asked. */
record LongestWait(AtomicLong longestNanos) implements BoundedWait {

  @Override
  public <T> T await(Future<T> future, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    longestNanos.accumulateAndGet(nanos, Math::max);
    return future.get(nanos, TimeUnit.NANOSECONDS);
  }
}
