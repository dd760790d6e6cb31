package dev.comporta.server.store;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The one wait of a request for a store. Tests put another in its place to see what it asks. */
interface BoundedWait {

  /** The result, if it comes within that time. */
  <T> T await(Future<T> future, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException;

  /** Waits in the calling thread. */
  static BoundedWait inThisThread() {
    return new BoundedWait() {
      @Override
      public <T> T await(Future<T> future, long nanos)
          throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(nanos, TimeUnit.NANOSECONDS);
      }
    };
  }
}
