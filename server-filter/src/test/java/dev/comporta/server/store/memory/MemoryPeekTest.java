package dev.comporta.server.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.store.KeyedLimit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryPeekTest {

  private static final long HOUR = 3_600_000_000L;
  private static final long MINUTE = 60_000_000L;

  @Test
  void leavesTheStateOfAnotherWindowAsItIs() {
    AtomicLong now = new AtomicLong(HOUR * 500_000);
    try (MemoryLimitStore store = new MemoryLimitStore(10, now::get)) {
      KeyedLimit perMinute = new KeyedLimit("k", new SlidingWindowCounter(10, MINUTE));
      KeyedLimit perHour = new KeyedLimit("k", new SlidingWindowCounter(10, HOUR));
      store.decide(List.of(perMinute), 10);

      store.peek(List.of(perHour));
      now.addAndGet(2 * MINUTE);

      assertThat(store.peek(List.of(perMinute)).standings().get(0).remaining()).isEqualTo(10);
    }
  }
}
