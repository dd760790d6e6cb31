package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.config.SettingsReader.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SettingsWatchTest {

  private static final long SECOND = TimeUnit.SECONDS.toMicros(1);
  private static final long START = 1_000_000 * SECOND;

  private final TreeMap<String, String> texts = new TreeMap<>();
  private final AtomicInteger readings = new AtomicInteger();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  @Test
  void readsWhenThePeriodIsOverAndNotAMicrosecondBefore() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.near-limit-percent", "50");

    assertThat(read(watch, START)).isEmpty();
    assertThat(read(watch, START + 10 * SECOND - 1)).isEmpty();
    assertThat(read(watch, START + 10 * SECOND))
        .hasValueSatisfying(
            reading -> assertThat(reading.settings().live().nearLimitPercent()).isEqualTo(50));
    assertThat(read(watch, START + 10 * SECOND)).isEmpty();
  }

  @Test
  void tellsNothingWhereNothingHasChangedAndAsksNoMoreThanTheTexts() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    int before = readings.get();

    assertThat(read(watch, START + 10 * SECOND)).isEmpty();
    assertThat(read(watch, START + 20 * SECOND)).isEmpty();

    assertThat(readings.get() - before).isEqualTo(2);
  }

  @Test
  void readsEveryThirtySecondsWhereNothingElseIsSaid() {
    SettingsWatch watch = watch();
    texts.put("comporta.mode", "off");

    assertThat(read(watch, START + 30 * SECOND - 1)).isEmpty();
    assertThat(read(watch, START + 30 * SECOND)).isPresent();
  }

  @Test
  void neverReadsWhereThePeriodIsZero() {
    SettingsWatch watch = watch("comporta.reload-every", "0");
    texts.put("comporta.mode", "off");

    assertThat(read(watch, Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void takesANewPeriod() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.reload-every", "1s");
    assertThat(read(watch, START + 10 * SECOND)).isPresent();
    texts.put("comporta.mode", "off");

    assertThat(read(watch, START + 11 * SECOND)).isPresent();
  }

  @Test
  void keepsThePeriodOfSettingsThatAreNotTaken() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.reload-every", "0");
    watch.readIfDue(START + 10 * SECOND, reading -> false);
    texts.put("comporta.mode", "off");

    assertThat(read(watch, START + 20 * SECOND)).isPresent();
  }

  @Test
  void readsNothingNewerBeforeWhatWasReadIsTaken() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.mode", "shadow");
    List<Reading> newer = new ArrayList<>();

    watch.readIfDue(
        START + 10 * SECOND,
        older -> {
          texts.put("comporta.mode", "off");
          read(watch, START + 20 * SECOND).ifPresent(newer::add);
          return true;
        });

    assertThat(newer).isEmpty();
    assertThat(read(watch, START + 20 * SECOND)).isPresent();
  }

  @Test
  void readsAgainThoughTheClockWasSetBack() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.mode", "off");

    assertThat(read(watch, START / 2)).isPresent();
    texts.put("comporta.mode", "shadow");
    assertThat(read(watch, START / 2 + 10 * SECOND - 1)).isEmpty();
    assertThat(read(watch, START / 2 + 10 * SECOND)).isPresent();
  }

  @Test
  void refusesAFaultyReadingAndTakesTheNextGoodOne() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.mode", "on");
    assertThat(read(watch, START + 10 * SECOND)).isEmpty();
    texts.put("comporta.mode", "off");

    assertThat(read(watch, START + 20 * SECOND)).isPresent();
  }

  @Test
  void tellsTheFirstSettingsAgainWhenAChangeIsTakenBack() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.mode", "off");
    assertThat(read(watch, START + 10 * SECOND)).isPresent();
    texts.remove("comporta.mode");

    assertThat(read(watch, START + 20 * SECOND)).isPresent();
  }

  @Test
  void keepsWhatItHasWhileTheSourceFails() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    texts.put("comporta.mode", "off");
    failure.set(new IllegalStateException("no connection"));
    assertThat(read(watch, START + 10 * SECOND)).isEmpty();
    assertThat(read(watch, START + 20 * SECOND)).isEmpty();
    failure.set(null);

    assertThat(read(watch, START + 30 * SECOND)).isPresent();
  }

  @Test
  void oneOfManyThreadsReads() {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    for (int round = 1; round <= 20; round++) {
      texts.put("comporta.near-limit-percent", String.valueOf(round));
      long now = START + round * 10L * SECOND;

      assertThat(
              IntStream.range(0, 16)
                  .parallel()
                  .mapToObj(i -> read(watch, now))
                  .filter(Optional::isPresent))
          .as("round %d", round)
          .hasSize(1);
    }
  }

  @Test
  void othersGoOnWhileOneReads() throws InterruptedException {
    SettingsWatch watch = watch("comporta.reload-every", "10s");
    CountDownLatch isInside = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    SettingsWatch slow =
        new SettingsWatch(
            () -> {
              if (Thread.currentThread().getName().equals("reader")) {
                isInside.countDown();
                await(mayEnd);
              }
              return source();
            },
            "library",
            SettingsReader.read(source(), "library").settings(),
            START);
    Thread reader = new Thread(() -> read(slow, START + 10 * SECOND), "reader");
    reader.start();
    await(isInside);

    assertThat(read(slow, START + 100 * SECOND)).isEmpty();
    assertThat(read(watch, START)).isEmpty();

    mayEnd.countDown();
    reader.join();
  }

  @Test
  void knowsWhichSettingsAKeyOrVariableIsOf() {
    assertThat(SettingKey.of("comporta.store")).contains(SettingKey.STORE);
    assertThat(SettingKey.of("COMPORTA_STORE")).contains(SettingKey.STORE);
    assertThat(SettingKey.of("comporta.policies.a.limits")).contains(SettingKey.POLICY_LIMITS);
    assertThat(SettingKey.of("COMPORTA_POLICIES_A_B_LIMITS")).contains(SettingKey.POLICY_LIMITS);
    assertThat(SettingKey.of("COMPORTA_API_KEYS_MY_KEY_SHA256"))
        .contains(SettingKey.API_KEY_SHA256);
    assertThat(SettingKey.of("COMPORTA_PORT")).isEmpty();
  }

  private static Optional<Reading> read(SettingsWatch watch, long nowMicros) {
    List<Reading> taken = new ArrayList<>(1);
    watch.readIfDue(nowMicros, taken::add);
    return taken.stream().findFirst();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  private SettingsWatch watch(String... keysAndValues) {
    for (int at = 0; at < keysAndValues.length; at += 2) {
      texts.put(keysAndValues[at], keysAndValues[at + 1]);
    }
    return new SettingsWatch(
        this::counted, "library", SettingsReader.read(source(), "library").settings(), START);
  }

  private Source counted() {
    readings.incrementAndGet();
    RuntimeException failing = failure.get();
    if (failing != null) {
      throw failing;
    }
    return source();
  }

  private Source source() {
    return MapSource.of(
        texts.entrySet().stream()
            .flatMap(entry -> java.util.stream.Stream.of(entry.getKey(), entry.getValue()))
            .toArray(String[]::new));
  }
}
