package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a node repeats of what Redis told it, while time passes as the test says. */
class RefusalCacheTest {

  private static final long SECOND = 1_000_000;
  private static final long START = 1_800_000_000_000_000L;
  private static final long SEED = 20_261_130;

  /** One permit comes back each second. */
  private static final KeyedLimit BUCKET =
      keyed("a:{c}:bucket", new TokenBucket(60, 60 * SECOND, 10));

  private final List<KeyedLimit> limits = List.of(BUCKET);

  private long nowNanos = 5;
  private long redisMicros = START;
  private RefusalCache cache = cache(Duration.ofDays(1), Duration.ZERO);

  @Test
  void repeatsARefusalUntilItsInstantAndNotOneNanosecondLonger() {
    refuse(limits, spent(BUCKET, 10), 1);

    nowNanos += TimeUnit.SECONDS.toNanos(1) - 1;
    assertThat(cache.verdict(limits, 1)).containsInstanceOf(Verdict.Refused.class);

    nowNanos++;
    assertThat(cache.verdict(limits, 1)).isEmpty();
  }

  @Test
  void countsTheInstantFromTheSendingAndTheNumbersFromTheReply() {
    RefusalCache.Sending sending = cache.sending(limits);
    nowNanos += TimeUnit.MILLISECONDS.toNanos(300);
    note(limits, spent(BUCKET, 10), 1, sending);

    nowNanos += TimeUnit.MILLISECONDS.toNanos(600);

    assertThat(cache.verdict(limits, 1).map(this::retryAfterMicros)).contains(400_000L);
    nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
    assertThat(cache.verdict(limits, 1)).isEmpty();
  }

  @Test
  void tellsEachTimeWhatTheStateSaysThen() {
    long[] state = spent(BUCKET, 10);
    refuse(limits, state, 5);

    for (int i = 0; i < 50; i++) {
      assertThat(cache.verdict(limits, 5))
          .contains(Verdicts.notAdmitted(limits, List.of(state), 5, redisMicros));
      passMillis(97);
    }
  }

  @Test
  void answersAHigherCostAndAsksForALowerOne() {
    refuse(limits, spent(BUCKET, 10), 3);

    assertThat(cache.verdict(limits, 4).map(this::retryAfterMicros)).contains(4 * SECOND);
    assertThat(cache.verdict(limits, 11)).containsInstanceOf(Verdict.Impossible.class);
    assertThat(cache.verdict(limits, 2)).isEmpty();
  }

  @Test
  void asksForAnotherCallerAnotherLimitAndOtherLimitsBesides() {
    refuse(limits, spent(BUCKET, 10), 1);
    KeyedLimit changed = keyed(BUCKET.key(), new TokenBucket(60, 60 * SECOND, 11));

    assertThat(cache.verdict(List.of(keyed("a:{d}:bucket", BUCKET.limit())), 1)).isEmpty();
    assertThat(cache.verdict(List.of(changed), 1)).isEmpty();
    assertThat(cache.verdict(List.of(BUCKET, keyed("a:{c}:2", BUCKET.limit())), 1)).isEmpty();
  }

  @Test
  void findsACallerWhoseFirstLimitIsThatOfEveryone() {
    KeyedLimit everyone = keyed("a:{everyone}:wide", new TokenBucket(1_000, SECOND, 1_000));
    List<KeyedLimit> both = List.of(everyone, BUCKET);
    List<KeyedLimit> ofAnother = List.of(everyone, keyed("a:{d}:bucket", BUCKET.limit()));
    List<long[]> states = List.of(everyone.limit().newState(), spent(BUCKET, 10));
    refuse(both, states, 1);
    refuse(ofAnother, states, 1);

    assertThat(cache.verdict(both, 1)).containsInstanceOf(Verdict.Refused.class);
    assertThat(cache.verdict(ofAnother, 1)).containsInstanceOf(Verdict.Refused.class);
  }

  @Test
  void keepsNoAdmissionAndForgetsARefusalWhenALowerCostPasses() {
    refuse(limits, spent(BUCKET, 8), 5);
    long[] after = spent(BUCKET, 9);

    note(limits, List.of(after), 1, Verdicts.admitted(limits, List.of(after), redisMicros));

    assertThat(cache.verdict(limits, 5)).isEmpty();
  }

  @Test
  void dropsARefusalByAnyOfItsLimits() {
    KeyedLimit window = keyed("a:{c}:window", new SlidingWindowCounter(5, 60 * SECOND));
    List<KeyedLimit> both = List.of(BUCKET, window);
    for (KeyedLimit dropped : both) {
      refuse(both, List.of(spent(BUCKET, 10), spent(window, 5)), 1);

      cache.drop(List.of(dropped));

      assertThat(cache.verdict(both, 1)).isEmpty();
    }
  }

  @Test
  void doesNotKeepARefusalThatWasOnItsWayWhenItsLimitWasDropped() {
    RefusalCache.Sending sending = cache.sending(limits);
    cache.drop(limits);

    note(limits, spent(BUCKET, 10), 1, sending);

    assertThat(cache.verdict(limits, 1)).isEmpty();
  }

  @Test
  void repeatsForNoLongerThanItsBound() {
    cache = cache(Duration.ofSeconds(10), Duration.ZERO);
    refuse(limits, spent(BUCKET, 10), 10);

    passMillis(9_999);
    assertThat(cache.verdict(limits, 10).map(this::retryAfterMicros)).contains(1_000L);

    passMillis(1);
    assertThat(cache.verdict(limits, 10)).isEmpty();
  }

  @Test
  void repeatsNothingWhenTheBoundIsZero() {
    cache = cache(Duration.ZERO, Duration.ZERO);

    refuse(limits, spent(BUCKET, 10), 1);

    assertThat(cache.verdict(limits, 1)).isEmpty();
  }

  @Test
  void repeatsNothingWherePermitsMayComeBackForAnyCaller() {
    refuse(limits, spent(BUCKET, 10), 1);

    cache.mayGiveBack(List.of(keyed("a:{d}:bucket", BUCKET.limit())));

    assertThat(cache.verdict(limits, 1)).isEmpty();
    refuse(limits, spent(BUCKET, 10), 1);
    assertThat(cache.verdict(limits, 1)).isEmpty();
  }

  @Test
  void repeatsWherePermitsMayComeBackForNoLongerThanItsOwnBound() {
    cache = cache(Duration.ofSeconds(10), Duration.ofMillis(500));
    cache.mayGiveBack(limits);
    refuse(limits, spent(BUCKET, 10), 1);

    passMillis(499);
    assertThat(cache.verdict(limits, 1)).containsInstanceOf(Verdict.Refused.class);

    passMillis(1);
    assertThat(cache.verdict(limits, 1)).isEmpty();
  }

  @Test
  void repeatsOfALogForACostOfOneAloneAndUntilItsFirstEntryLeaves() {
    KeyedLimit log = keyed("a:{c}:log", new SlidingWindowLog(3, 60 * SECOND));
    List<KeyedLimit> ofLog = List.of(log);

    refuse(ofLog, spent(log, 3), 2);
    assertThat(cache.verdict(ofLog, 2)).isEmpty();

    refuse(ofLog, spent(log, 3), 1);
    assertThat(cache.verdict(ofLog, 2)).isEmpty();
    passMillis(59_999);
    assertThat(cache.verdict(ofLog, 1).map(this::retryAfterMicros)).contains(1_000L);
    passMillis(1);
    assertThat(cache.verdict(ofLog, 1)).isEmpty();
  }

  @Test
  void asksWhereALogHasPermitsLeftThatItCannotTell() {
    KeyedLimit log = keyed("a:{c}:log", new SlidingWindowLog(30, 60 * SECOND));
    List<KeyedLimit> both = List.of(BUCKET, log);

    refuse(both, List.of(spent(BUCKET, 10), spent(log, 10)), 1);

    assertThat(cache.verdict(both, 1)).isEmpty();
  }

  @Test
  void holdsNoMoreForAMillionCallersAndMixesUpNone() {
    long[] state = spent(BUCKET, 10);
    for (int i = 0; i < 1_000_000; i++) {
      refuse(List.of(keyed("a:{" + i + "}:bucket", BUCKET.limit())), state, 1);
    }

    long known =
        new Random(SEED)
            .ints(100_000, 0, 2_000_000)
            .filter(
                i ->
                    cache
                        .verdict(List.of(keyed("a:{" + i + "}:bucket", BUCKET.limit())), 1)
                        .isPresent())
            .count();

    assertThat(known).as("seed " + SEED).isBetween(1L, 1_600L);
  }

  /** The law that makes a refusal repeatable, and the promise to the caller. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void neverRefusesWhatRedisWouldAdmit(Algorithm kind) {
    Random random = new Random(SEED);
    for (int trace = 0; trace < 300; trace++) {
      RateAlgorithm limit = RateAlgorithm.of(LimitSpec.parse("7/1s", kind));
      KeyedLimit keyed = keyed("a:{" + trace + "}:x", limit);
      long[] state = limit.newState();
      for (int step = 0; step < 60; step++) {
        passMillis(random.nextInt(200));
        long cost = 1L + random.nextInt(3);
        Optional<Verdict> repeated = cache.verdict(List.of(keyed), cost);
        boolean isAllowed =
            Verdicts.areAllAllowed(List.of(keyed), List.of(state), cost, redisMicros);

        if (repeated.isPresent()) {
          assertThat(repeated)
              .as("seed %d, %s, trace %d, step %d", SEED, kind, trace, step)
              .contains(Verdicts.notAdmitted(List.of(keyed), List.of(state), cost, redisMicros));
        } else if (isAllowed) {
          state = limit.charge(state, cost, redisMicros);
          List<long[]> told = List.of(state.clone());
          note(List.of(keyed), told, cost, Verdicts.admitted(List.of(keyed), told, redisMicros));
        } else {
          refuse(List.of(keyed), state.clone(), cost);
        }
      }
    }
  }

  private void refuse(List<KeyedLimit> asked, long[] state, long cost) {
    refuse(asked, List.of(state), cost);
  }

  private void refuse(List<KeyedLimit> asked, List<long[]> states, long cost) {
    note(asked, states, cost, Verdicts.notAdmitted(asked, states, cost, redisMicros));
  }

  private void note(List<KeyedLimit> asked, List<long[]> states, long cost, Verdict verdict) {
    cache.note(question(asked, cost), cache.sending(asked), states, verdict);
  }

  private void note(List<KeyedLimit> asked, long[] state, long cost, RefusalCache.Sending sending) {
    List<long[]> states = List.of(state);
    cache.note(
        question(asked, cost),
        sending,
        states,
        Verdicts.notAdmitted(asked, states, cost, redisMicros));
  }

  private static SameQuestions question(List<KeyedLimit> asked, long cost) {
    return SameQuestions.of(List.of(new Question(asked, cost))).get(0);
  }

  private long[] spent(KeyedLimit limit, int permits) {
    long[] state = limit.limit().newState();
    for (int i = 0; i < permits; i++) {
      state = limit.limit().charge(state, 1, redisMicros);
    }
    return state;
  }

  private void passMillis(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    redisMicros += TimeUnit.MILLISECONDS.toMicros(millis);
  }

  private long retryAfterMicros(Verdict verdict) {
    return ((Verdict.Refused) verdict).retryAfterMicros();
  }

  private RefusalCache cache(Duration refusals, Duration refundable) {
    return new RefusalCache(new Trips(true, refusals, refundable), () -> nowNanos);
  }

  private static KeyedLimit keyed(String key, RateAlgorithm limit) {
    return new KeyedLimit(key, limit);
  }
}
