package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SystemTimelineTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000})
  void saysWhyATaskIsNotRun(long micros) throws Exception {
    RejectedExecutionException reason = new RejectedExecutionException("shut down");
    SystemTimeline timeline =
        new SystemTimeline(
            task -> {
              throw reason;
            });
    CompletableFuture<Throwable> told = new CompletableFuture<>();

    timeline.after(micros, () -> told.complete(new AssertionError("was run")), told::complete);

    assertThat(told.get(20, TimeUnit.SECONDS)).isSameAs(reason);
  }
}
