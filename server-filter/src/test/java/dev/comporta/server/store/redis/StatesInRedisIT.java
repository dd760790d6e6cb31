package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written, when, and for how long, and what is said of a state that nobody wrote. */
class StatesInRedisIT {

  private static final long HOUR = 3_600_000_000L;
  private static final long DAY = 24 * HOUR;
  private static final String KEY = "{c}:k";

  private static RedisServerProcess server;

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L);

  @BeforeAll
  static void startServer() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void forgetAll() {
    server.command("FLUSHALL");
    server.command("CONFIG", "RESETSTAT");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void refusalWritesNothing(Algorithm kind) {
    List<KeyedLimit> limits = List.of(keyed("10/1h", kind));
    try (WaitingStore store = byGivenTime()) {
      store.decide(limits, 10);
      String before = server.command("GET", KEY);
      long writesBefore = writes();
      now.incrementAndGet();

      assertThat(store.decide(limits, 1)).isInstanceOf(Verdict.Refused.class);

      assertThat(server.command("GET", KEY)).isEqualTo(before);
      assertThat(writes()).isEqualTo(writesBefore);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void refusalUnderAnotherLimitWritesNothing(Algorithm kind) {
    try (WaitingStore store = byGivenTime()) {
      store.decide(List.of(keyed("10/1h", kind)), 10);
      String before = server.command("GET", KEY);
      now.incrementAndGet();

      assertThat(store.decide(List.of(keyed("7/2h", kind)), 1)).isInstanceOf(Verdict.Refused.class);

      assertThat(server.command("GET", KEY)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SLIDING_WINDOW_COUNTER", "SLIDING_WINDOW_LOG", "FIXED_WINDOW"})
  void refusalUnderALongerWindowKeepsTheStateAsLongAsThatRefuses(Algorithm kind) {
    try (WaitingStore store = byGivenTime()) {
      store.decide(List.of(keyed("10/1s", kind)), 10);
      KeyedLimit moved = new KeyedLimit("{c}:moved", keyed("5/12h", kind).limit(), List.of(KEY));

      Verdict refused = store.decide(List.of(moved), 1);

      assertThat(refused).isInstanceOf(Verdict.Refused.class);
      assertThat(millisToLive())
          .isGreaterThanOrEqualTo(((Verdict.Refused) refused).retryAfterMicros() / 1_000);
      long writesBefore = writes();
      store.decide(List.of(moved), 1);
      assertThat(writes()).isEqualTo(writesBefore);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void refusalAfterAStepBackKeepsTheStateThatWasBroughtBack(Algorithm kind) {
    List<KeyedLimit> limits = List.of(keyed("10/1h", kind));
    try (WaitingStore store = byGivenTime()) {
      store.decide(limits, 10);
      String before = server.command("GET", KEY);
      now.addAndGet(-DAY);

      Verdict refused = store.decide(limits, 1);

      assertThat(refused).isInstanceOf(Verdict.Refused.class);
      assertThat(server.command("GET", KEY)).isNotEqualTo(before);
      now.addAndGet(((Verdict.Refused) refused).retryAfterMicros());
      assertThat(store.decide(limits, 1)).isInstanceOf(Verdict.Admitted.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void lookWritesNothingEvenAfterAStepBack(Algorithm kind) {
    List<KeyedLimit> limits = List.of(keyed("10/1h", kind));
    try (WaitingStore store = byGivenTime()) {
      store.decide(limits, 10);
      String before = server.command("GET", KEY);
      now.addAndGet(-DAY);

      assertThat(store.peek(limits).standings().get(0).remaining()).isZero();

      assertThat(server.command("GET", KEY)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TOKEN_BUCKET, 1800000",
    "SLIDING_WINDOW_COUNTER, 7200000",
    "SLIDING_WINDOW_LOG, 3600000",
    "FIXED_WINDOW, 3600000"
  })
  void keyLivesAsLongAsItsStateHasAnEffectAndASecond(Algorithm kind, long longestMillis) {
    List<KeyedLimit> limits = List.of(keyed("10/1h", kind));
    try (WaitingStore store = new WaitingStore(new RedisLimitStore(options()))) {
      store.decide(limits, 5);
      long resetMillis = store.peek(limits).standings().get(0).resetAfterMicros() / 1_000;

      assertThat(resetMillis).isBetween(1L, longestMillis);
      assertThat(millisToLive()).isBetween(resetMillis + 900, resetMillis + 60_000);

      server.command("PERSIST", KEY);
      store.decide(limits, 6);

      assertThat(millisToLive()).isBetween(1L, longestMillis + 1_001);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TOKEN_BUCKET, 1 2 3",
    "TOKEN_BUCKET, 1 2 0 4 5",
    "TOKEN_BUCKET, 1 2 3 0 5",
    "TOKEN_BUCKET, 1 2 3 4 -5",
    "SLIDING_WINDOW_COUNTER, 5",
    "SLIDING_WINDOW_COUNTER, 5 0 1 2",
    "SLIDING_WINDOW_COUNTER, 0 0 1 2 3",
    "SLIDING_WINDOW_COUNTER, 5 0 1 x2 3",
    "SLIDING_WINDOW_LOG, 0000000000 1 2",
    "SLIDING_WINDOW_LOG, x",
    "FIXED_WINDOW, 1",
    "FIXED_WINDOW, 1 2 3"
  })
  void isLoudAboutAStateThatIsNotOfItsAlgorithm(Algorithm kind, String text) {
    List<KeyedLimit> limits = List.of(keyed("10/1h", kind));
    try (WaitingStore store = byGivenTime()) {
      server.command("SET", KEY, text);

      assertPermanent(() -> store.decide(limits, 1), "Redis answered UNREADABLE");
      assertPermanent(() -> store.peek(limits), "Redis answered UNREADABLE");
      assertThat(server.command("GET", KEY)).isEqualTo(text);

      store.reset(limits);

      assertThat(server.keys()).isEmpty();
    }
  }

  @Test
  void isLoudAboutTwoLimitsWithOneKey() {
    KeyedLimit limit = keyed("10/1h", Algorithm.TOKEN_BUCKET);
    try (WaitingStore store = byGivenTime()) {
      assertPermanent(() -> store.decide(List.of(limit, limit), 1), "the keys of one request");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/day", "10/week", "10/month;zone=Australia/Lord_Howe"})
  void countsByTheCalendarAlthoughTheClockOfTheNodeIsAlmostADayWrong(String text) {
    List<KeyedLimit> limits = List.of(keyed(text, Algorithm.FIXED_WINDOW));
    for (long wrong : new long[] {-23 * HOUR, 0, 23 * HOUR}) {
      try (WaitingStore store = onNodeWithClock(wrong)) {
        assertThat(store.decide(limits, 3)).isInstanceOf(Verdict.Admitted.class);
      }
    }
    try (WaitingStore store = onNodeWithClock(0)) {
      assertThat(store.peek(limits).standings().get(0).remaining()).isEqualTo(1);
    }
  }

  @Test
  void isLoudAboutACalendarWhenTheClocksAreMonthsApart() {
    List<KeyedLimit> limits = List.of(keyed("10/month", Algorithm.FIXED_WINDOW));
    try (WaitingStore store = onNodeWithClock(-90 * DAY)) {
      assertPermanent(() -> store.decide(limits, 1), "Redis answered CALENDAR the clocks of Redis");
      assertThat(server.keys()).isEmpty();
    }
  }

  @Test
  void largeLogIsToldInAFewEntries() {
    KeyedLimit limit = keyed("1000/1h", Algorithm.SLIDING_WINDOW_LOG);
    try (WaitingStore store = byGivenTime()) {
      for (int i = 0; i < 1_000; i++) {
        now.incrementAndGet();
        store.decide(List.of(limit), 1);
      }
      long sentBefore = bytesSent();

      Verdict.Refused refused = (Verdict.Refused) store.decide(List.of(limit), 500);

      assertThat(bytesSent() - sentBefore).isLessThan(10_000);
      assertThat(refused.retryAfterMicros()).isEqualTo(HOUR - 500);
      assertThat(refused.standings().get(0).nextAfterMicros()).isEqualTo(HOUR - 999);
      assertThat(refused.standings().get(0).resetAfterMicros()).isEqualTo(HOUR);
    }
  }

  @Test
  void touchesTheFormerKeyOnlyIfItIsDeclared() {
    KeyedLimit former = keyed("10/1h", Algorithm.TOKEN_BUCKET);
    KeyedLimit moved = new KeyedLimit("{c}:moved", former.limit(), List.of(KEY));
    try (WaitingStore store = byGivenTime()) {
      store.decide(List.of(former), 4);

      store.decide(List.of(moved), 1);

      assertThat(server.keys()).containsExactly("{c}:moved");
      assertThat(store.peek(List.of(moved)).standings().get(0).remaining()).isEqualTo(5);
    }
  }

  private static KeyedLimit keyed(String text, Algorithm kind) {
    return new KeyedLimit(KEY, RateAlgorithm.of(LimitSpec.parse(text, kind)));
  }

  private WaitingStore byGivenTime() {
    return new WaitingStore(RedisLimitStore.withGivenTime(options(), now::get));
  }

  private static WaitingStore onNodeWithClock(long wrongMicros) {
    long right = Long.parseLong(server.command("TIME").lines().toList().get(1)) * 1_000_000;
    return new WaitingStore(RedisLimitStore.withNodeClock(options(), () -> right + wrongMicros));
  }

  private static RedisOptions options() {
    return RedisOptions.at(server.address()).within(Duration.ofSeconds(10));
  }

  private static void assertPermanent(Runnable question, String message) {
    assertThatThrownBy(question::run)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StoreException.class, error -> assertThat(error.isPermanent()).isTrue())
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("{c}");
  }

  private static long writes() {
    return server.callsOf("set") + server.callsOf("del") + server.callsOf("pexpire");
  }

  private static long millisToLive() {
    return Long.parseLong(server.command("PTTL", KEY).substring(1));
  }

  private static long bytesSent() {
    return server
        .command("INFO", "stats")
        .lines()
        .filter(line -> line.startsWith("total_net_output_bytes:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .sum();
  }
}
