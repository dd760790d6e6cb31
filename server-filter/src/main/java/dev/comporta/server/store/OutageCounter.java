package dev.comporta.server.store;

import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** Counts for {@link OutageCounts}. Thread-safe. */
final class OutageCounter {

  private final LongAdder late = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder faulty = new LongAdder();
  private final LongAdder alone = new LongAdder();

  /** A question had no answer. */
  void unanswered(Throwable failure) {
    if (failure instanceof StoreException error && error.isPermanent()) {
      faulty.increment();
    } else if (failure instanceof TimeoutException || failure instanceof CancellationException) {
      late.increment();
    } else {
      failed.increment();
    }
  }

  /** A decision was made without the shared store. */
  void alone() {
    alone.increment();
  }

  OutageCounts counts() {
    return new OutageCounts(late.sum(), failed.sum(), faulty.sum(), alone.sum());
  }
}
