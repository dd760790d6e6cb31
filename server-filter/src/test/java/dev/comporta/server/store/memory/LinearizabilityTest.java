package dev.comporta.server.store.memory;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import java.util.List;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever several threads are told at once, one thread could have been told in some order:
 * Lincheck looks for an interleaving that contradicts it. The time stands still.
 */
@Tag("lincheck")
class LinearizabilityTest {

  private static final long NOW = 1_800_000_000_000_000L;
  private static final long HOUR = 3_600_000_000L;
  private static final KeyedLimit BUCKET = new KeyedLimit("b", new TokenBucket(4, HOUR, 4));
  private static final KeyedLimit WINDOW = new KeyedLimit("w", new SlidingWindowCounter(3, HOUR));

  @Test
  void holdsUnderStress() {
    new StressOptions()
        .iterations(20)
        .invocationsPerIteration(500)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1)
        .sequentialSpecification(OneThread.class)
        .check(SeveralThreads.class);
  }

  /** What several threads do. */
  @Param(name = "key", gen = IntGen.class, conf = "0:1")
  @Param(name = "cost", gen = IntGen.class, conf = "1:4")
  @Param(name = "permits", gen = IntGen.class, conf = "-2:2")
  @Param(name = "isReversed", gen = BooleanGen.class)
  public static class SeveralThreads {

    private final LimitStore store;

    /** The store under test. */
    public SeveralThreads() {
      this(new MemoryLimitStore(100, () -> NOW));
    }

    SeveralThreads(LimitStore store) {
      this.store = store;
    }

    /** One limit. */
    @Operation
    public String decideOne(@Param(name = "key") int key, @Param(name = "cost") int cost) {
      return store.decide(one(key), cost).toString();
    }

    /** Two limits, in either order. */
    @Operation
    public String decideBoth(
        @Param(name = "isReversed") boolean isReversed, @Param(name = "cost") int cost) {
      return store.decide(both(isReversed), cost).toString();
    }

    /** A surcharge or a refund of one. */
    @Operation
    public String settleOne(@Param(name = "key") int key, @Param(name = "permits") int permits) {
      return store.settle(one(key), permits, NOW).toString();
    }

    /** A surcharge or a refund of two. */
    @Operation
    public String settleBoth(
        @Param(name = "isReversed") boolean isReversed, @Param(name = "permits") int permits) {
      return store.settle(both(isReversed), permits, NOW).toString();
    }

    /** All is forgotten. */
    @Operation
    public void reset(@Param(name = "key") int key) {
      store.reset(one(key));
    }
  }

  /** What is true of one thread. */
  public static final class OneThread extends SeveralThreads {

    /** The plain store. */
    public OneThread() {
      super(new SequentialStore(NOW));
    }
  }

  private static List<KeyedLimit> one(int key) {
    return List.of(key == 0 ? BUCKET : WINDOW);
  }

  private static List<KeyedLimit> both(boolean isReversed) {
    return isReversed ? List.of(WINDOW, BUCKET) : List.of(BUCKET, WINDOW);
  }
}
