package dev.comporta.client;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Takes the {@link MethodCall} of a thread along with the tasks that it gives. The interceptors of
 * MicroProfile are made for that, but RESTEasy calls them only where the thread is the one that has
 * built the client.
 */
final class MethodCallExecutor extends AbstractExecutorService {

  private final ExecutorService threads;

  MethodCallExecutor(ExecutorService threads) {
    this.threads = threads;
  }

  /** One with as many threads as there are requests under way; they end when they have no work. */
  static MethodCallExecutor ofThreads() {
    return new MethodCallExecutor(
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "comporta-rest-client");
              thread.setDaemon(true);
              return thread;
            }));
  }

  @Override
  public void execute(Runnable task) {
    MethodCall.Sending taken = MethodCall.current();
    if (taken == null) {
      threads.execute(task);
    } else {
      threads.execute(() -> taken.run(task));
    }
  }

  @Override
  public void shutdown() {
    threads.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return threads.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return threads.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return threads.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return threads.awaitTermination(timeout, unit);
  }
}
