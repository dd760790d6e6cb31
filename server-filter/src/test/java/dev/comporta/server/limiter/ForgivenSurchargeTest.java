package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.policy.SpanWindow;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForgivenSurchargeTest {

  static Stream<RateAlgorithm> limits() {
    return Stream.of(
        new FixedWindow(10, new SpanWindow(Duration.ofHours(1))),
        new SlidingWindowCounter(10, 3_600_000_000L),
        new SlidingWindowLog(10, 3_600_000_000L),
        new TokenBucket(10, 3_600_000_000L, 10));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void refundOfASurchargeThatWasForgivenLeavesWhatOthersUsed(RateAlgorithm limit) {
    long[] now = {1_000_000_000L};
    MemoryLimitStore store = new MemoryLimitStore(10, () -> now[0]++);
    List<KeyedLimit> limits = List.of(new KeyedLimit("a", limit));
    store.decide(limits, 9);
    Charges charges = new Charges(store, same -> same, limits);
    charges.took(1, store.decide(limits, 1));

    charges.add(50);
    charges.giveBack(50);

    assertThat(store.peek(limits).standings().get(0).remaining()).isZero();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void refundOfASurchargeThatWasPaidGivesAllOfItBack(RateAlgorithm limit) {
    MemoryLimitStore store = new MemoryLimitStore(10, () -> 1_000_000_000L);
    List<KeyedLimit> limits = List.of(new KeyedLimit("a", limit));
    Charges charges = new Charges(store, same -> same, limits);
    charges.took(1, store.decide(limits, 1));

    charges.add(5);
    charges.add(3);
    charges.giveBack(6);

    assertThat(store.peek(limits).standings().get(0).remaining()).isEqualTo(7);
  }
}
