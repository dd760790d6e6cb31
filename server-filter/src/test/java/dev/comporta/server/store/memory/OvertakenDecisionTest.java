package dev.comporta.server.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowLog;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A decision reads the time and then waits for its turn: another one that has read a later time may
 * come before it. That is no clock that steps back.
 */
class OvertakenDecisionTest {

  private static final long START = 1_000_000_000;
  private static final long SECOND = 1_000_000;

  /**
   * Lets something happen between the moment at which a time is read, and the turn of its reader.
   */
  private static final class Script implements MicrosClock {

    private final Deque<Runnable> between = new ArrayDeque<>();
    private long nowMicros = START;

    @Override
    public long nowMicros() {
      long read = nowMicros;
      Runnable other = between.poll();
      if (other != null) {
        other.run();
      }
      return read;
    }
  }

  private final Script clock = new Script();
  private final MemoryLimitStore store = new MemoryLimitStore(10, clock);

  private Verdict decide(RateAlgorithm limit) {
    return store.decide(List.of(new KeyedLimit("caller", limit)), 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10, SECOND, 59 * SECOND})
  void isDecidedAsOfTheTimeOfTheOneBeforeItOrLater(long laterMicros) {
    TokenBucket limit = new TokenBucket(10, 60 * SECOND, 10);
    decide(limit);
    clock.between.add(
        () -> {
          clock.nowMicros += laterMicros;
          decide(limit);
        });

    Verdict overtaken = decide(limit);

    assertThat(((Verdict.Admitted) overtaken).nowMicros()).isEqualTo(START + laterMicros);
  }

  /** With a step back for each decision that is overtaken, the usage would never recover. */
  @Test
  void recoversThoughEachDecisionIsOvertaken() {
    TokenBucket limit = new TokenBucket(10, SECOND, 10);
    int admitted = 0;
    for (int i = 0; i < 200; i++) {
      clock.between.add(
          () -> {
            clock.nowMicros += SECOND / 10;
            decide(limit);
          });
      if (decide(limit) instanceof Verdict.Admitted) {
        admitted++;
      }
    }
    // One comes back with each pair: the overtaking takes it once the burst is spent.
    assertThat(admitted).isBetween(9, 10);
  }

  @Test
  void countsOneAdmissionPerPermitInALog() {
    SlidingWindowLog limit = new SlidingWindowLog(2, SECOND);
    decide(limit);
    clock.between.add(
        () -> {
          clock.nowMicros += SECOND - 1;
          assertThat(decide(limit)).isInstanceOf(Verdict.Admitted.class);
        });

    assertThat(decide(limit)).isInstanceOf(Verdict.Refused.class);
  }

  /** As before: usage of a later clock counts as of now, and ends a window from now. */
  @Test
  void takesAClockThatStepsBackForOne() {
    TokenBucket limit = new TokenBucket(1, 60 * SECOND, 1);
    decide(limit);
    clock.nowMicros = START - 3_600 * SECOND;

    Verdict refused = decide(limit);

    assertThat(refused).isInstanceOf(Verdict.Refused.class);
    assertThat(((Verdict.Refused) refused).retryAfterMicros()).isEqualTo(60 * SECOND);
  }

  /** What was read before the clock was set back is a time that has not come yet. */
  @Test
  void forgetsATimeThatWasReadBeforeTheClockWasSetBack() {
    for (RateAlgorithm limit :
        List.of(new TokenBucket(2, 60 * SECOND, 2), new SlidingWindowLog(2, 60 * SECOND))) {
      store.reset(List.of(new KeyedLimit("caller", limit)));
      clock.nowMicros = START * 10;
      decide(limit);
      decide(limit);
      clock.between.add(
          () -> {
            clock.nowMicros -= 3_600 * SECOND;
            assertThat(decide(limit)).isInstanceOf(Verdict.Refused.class);
          });

      assertThat(decide(limit)).as("%s", limit.kind()).isInstanceOf(Verdict.Refused.class);
      clock.nowMicros += 1_000;
      assertThat(decide(limit)).as("%s", limit.kind()).isInstanceOf(Verdict.Refused.class);
    }
  }

  /** Who looks for a victim brings usage to the time of a clock that was set back, too. */
  @Test
  void forgetsSuchATimeWhereANewcomerHasOnlyLookedAtTheCaller() {
    MemoryLimitStore small = new MemoryLimitStore(2, clock);
    TokenBucket limit = new TokenBucket(2, 60 * SECOND, 2);
    clock.nowMicros = START * 10;
    small.decide(List.of(new KeyedLimit("caller", limit)), 2);
    small.decide(List.of(new KeyedLimit("victim", limit)), 1);
    clock.between.add(
        () -> {
          clock.nowMicros -= 3_600 * SECOND;
          small.decide(List.of(new KeyedLimit("newcomer", limit)), 1);
        });

    assertThat(small.decide(List.of(new KeyedLimit("caller", limit)), 1))
        .isInstanceOf(Verdict.Refused.class);
  }

  /**
   * A newcomer that looks for a victim as of an older time must not take the clock for set back.
   */
  @Test
  void looksAtTheUsageOfOthersWithoutMovingIt() {
    MemoryLimitStore small = new MemoryLimitStore(2, clock);
    TokenBucket limit = new TokenBucket(2, 60 * SECOND, 2);
    List<KeyedLimit> caller = List.of(new KeyedLimit("caller", limit));
    small.decide(caller, 2);
    small.decide(List.of(new KeyedLimit("victim", limit)), 1);
    clock.between.add(
        () -> {
          clock.nowMicros += 30 * SECOND;
          assertThat(small.decide(caller, 1)).isInstanceOf(Verdict.Admitted.class);
        });
    small.decide(List.of(new KeyedLimit("newcomer", limit)), 1);

    assertThat(small.decide(caller, 1)).isInstanceOf(Verdict.Refused.class);
  }
}
