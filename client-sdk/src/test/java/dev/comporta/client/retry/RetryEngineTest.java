package dev.comporta.client.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.retry.RetryDecision.Reason;
import dev.comporta.client.retry.Sending.Sent;
import io.github.resilience4j.retry.internal.RetryImpl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetryEngineTest {

  private static final Attempt.Call GET = new Attempt.Call("GET", true, false);

  private final AtomicLong nowMicros = new AtomicLong(1_000_000);
  private final List<Long> waits = new ArrayList<>();
  private final List<Reason> stops = new ArrayList<>();

  private final Course course =
      new Course() {
        @Override
        public void decided(Attempt attempt, RetryDecision decision) {
          if (decision instanceof RetryDecision.Stop stop) {
            stops.add(stop.reason());
          }
        }

        @Override
        public void beforeWait(Duration delay) {}
      };

  /** An answer that counts how often it is given up. */
  private record Refusal(int status, AtomicInteger discarded) implements Reply {

    Refusal(int status) {
      this(status, new AtomicInteger());
    }

    @Override
    public Map<String, List<String>> headers() {
      return Map.of();
    }

    @Override
    public Optional<String> refusalText() {
      return Optional.empty();
    }

    @Override
    public void discard() {
      discarded.incrementAndGet();
    }
  }

  RetryEngineTest() {
    RetryImpl.setSleepFunction(waits::add);
  }

  // C52
  @Test
  void aBudgetThatOneCallHasSpentStopsTheOthersWithThatReason() {
    RetryEngine engine = engine(10, new RetryBudget(0, 1));

    List<Integer> sendings = List.of(refused(engine), refused(engine), refused(engine));

    assertThat(sendings).as("10 repetitions in all").containsExactly(10, 2, 1);
    assertThat(stops)
        .containsExactly(
            Reason.ATTEMPTS_EXHAUSTED, Reason.BUDGET_EXHAUSTED, Reason.BUDGET_EXHAUSTED);
    assertThat(waits).hasSize(10);
  }

  // C52
  @Test
  void aSecondGivesWhatItIsWorthAndNoMore() {
    RetryEngine engine = engine(10, new RetryBudget(0, 1));
    refused(engine);
    refused(engine);
    nowMicros.addAndGet(999_999);
    int before = refused(engine);

    nowMicros.addAndGet(1);

    assertThat(before).isEqualTo(1);
    assertThat(refused(engine)).isEqualTo(2);
    assertThat(refused(engine)).isEqualTo(1);
  }

  // C52
  @Test
  void callsThatWaitWithoutAThreadShareTheBudget() {
    RetryEngine engine = engine(10, new RetryBudget(0, 1));
    refused(engine);
    RetryEngine.Sendings later = engine.begin(GET, course);
    Refusal first = new Refusal(429);
    Refusal second = new Refusal(429);

    Optional<Duration> afterFirst = later.after(new Sent<>(first, RateLimitSnapshot.NOTHING));
    Optional<Duration> afterSecond = later.after(new Sent<>(second, RateLimitSnapshot.NOTHING));

    assertThat(afterFirst).isPresent();
    assertThat(afterSecond).isEmpty();
    assertThat(first.discarded()).hasValue(1);
    assertThat(second.discarded()).as("is the caller's").hasValue(0);
    assertThat(stops).endsWith(Reason.BUDGET_EXHAUSTED);
  }

  // C37: nothing is said by a negative wait, so nothing can be taken for one
  @Test
  void theLastAnswerIsReturnedOpenWhateverStopped() {
    for (RetryBudget budget : List.of(new RetryBudget(0, 0), RetryBudget.defaults())) {
      List<Refusal> sent = new ArrayList<>();

      Refusal last = engine(2, budget).execute(GET, number -> refusal(sent), course);

      assertThat(last).isSameAs(sent.get(sent.size() - 1));
      assertThat(last.discarded()).hasValue(0);
    }
    assertThat(stops).containsExactly(Reason.BUDGET_EXHAUSTED, Reason.ATTEMPTS_EXHAUSTED);
    assertThat(waits).allSatisfy(millis -> assertThat(millis).isPositive());
  }

  private RetryEngine engine(int maxAttempts, RetryBudget budget) {
    return new RetryEngine(
        new RetryRules(maxAttempts, Duration.ofSeconds(60)),
        budget,
        new SplittableRandom(1),
        nowMicros::get);
  }

  /** How often a call is sent that is always refused. */
  private int refused(RetryEngine engine) {
    List<Refusal> sent = new ArrayList<>();
    engine.execute(GET, number -> refusal(sent), course);
    return sent.size();
  }

  private static Sent<Refusal> refusal(List<Refusal> sent) {
    Refusal refusal = new Refusal(429);
    sent.add(refusal);
    return new Sent<>(refusal, RateLimitSnapshot.NOTHING);
  }
}
