package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OnceAMinuteTest {

  private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L);
  private final OnceAMinute due = new OnceAMinute(now::get);

  @Test
  void isDueAtOnceAndAgainAMinuteLater() {
    assertThat(due.isDue()).isTrue();
    now.addAndGet(MINUTE - 1);
    assertThat(due.isDue()).isFalse();
    now.addAndGet(1);
    assertThat(due.isDue()).isTrue();
    assertThat(due.isDue()).isFalse();
  }

  @Test
  void isNotSilentForLongerBecauseTheClockStepsBack() {
    assertThat(due.isDue()).isTrue();
    now.addAndGet(-MINUTE);

    assertThat(due.isDue()).isTrue();
    assertThat(due.isDue()).isFalse();
  }
}
