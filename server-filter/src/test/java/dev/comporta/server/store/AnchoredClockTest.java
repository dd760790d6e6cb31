package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AnchoredClockTest {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final AtomicLong wallMicros = new AtomicLong(1_800_000_000_000_000L);
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_500);

  @Test
  void countsOnFromTheWallClockAlsoWhereTheOtherOverflows() {
    AnchoredClock clock = new AnchoredClock(wallMicros::get, nanos::get);

    nanos.addAndGet(2_999);

    assertThat(clock.nowMicros()).isEqualTo(1_800_000_000_000_002L);
  }

  @Test
  void seesAChangeOfTheWallClockAfterASecond() {
    AnchoredClock clock = new AnchoredClock(wallMicros::get, nanos::get);
    wallMicros.addAndGet(-5_000_000);

    nanos.addAndGet(SECOND_NANOS - 1);
    long before = clock.nowMicros();
    nanos.incrementAndGet();

    assertThat(before).isEqualTo(1_800_000_000_999_999L);
    assertThat(clock.nowMicros()).isEqualTo(1_799_999_995_000_000L);
  }

  @Test
  void readsAgainWhenAPauseFellBetweenTheTwoClocks() {
    AtomicInteger readings = new AtomicInteger();
    AnchoredClock clock =
        new AnchoredClock(
            () -> {
              // The first reading is old by a second when the other clock is read.
              nanos.addAndGet(readings.getAndIncrement() == 0 ? SECOND_NANOS : 0);
              return wallMicros.get() + readings.get();
            },
            nanos::get);

    assertThat(clock.nowMicros()).isEqualTo(1_800_000_000_000_002L);
  }
}
