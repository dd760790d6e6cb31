package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.store.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RateLimitHeadersTest {

  private static final WireLimit MINUTE = new WireLimit("search-1m", 60_000_000, false);
  private static final WireLimit DAY = new WireLimit("search-1d", 86_400_000_000L, false);
  private static final WireLimit ALL_OF_US =
      new WireLimit("search-1h-everyone", 3_600_000_000L, true);

  private final RateLimitHeaders both = new RateLimitHeaders(EnumSet.allOf(Dialect.class));

  @Test
  void tellsALimitInBothDialectsInOrder() {
    Verdict verdict =
        new Verdict.Admitted(List.of(new Standing(100, 73, 16_000_000, 0)), 1_000_000_000_000L);

    assertThat(both.of(List.of(MINUTE), verdict))
        .containsExactly(
            entry("X-RateLimit-Limit", "100"),
            entry("X-RateLimit-Remaining", "73"),
            entry("X-RateLimit-Reset", "1000016"),
            entry("RateLimit-Policy", "\"search-1m\";q=100;w=60"),
            entry("RateLimit", "\"search-1m\";r=73;t=16"));
  }

  @Test
  void tellsHowALimitCountsAndItsMillisWhenHintsAreChosen() {
    LimitSpec limit = LimitSpec.parse("100/1m", Algorithm.FIXED_WINDOW);
    Policy policy = new Policy("search", List.of(limit), Map.of(), true);
    List<WireLimit> wire = WireLimit.of(policy, List.of(limit));
    Verdict verdict =
        new Verdict.Admitted(List.of(new Standing(100, 73, 15_000_001, 0)), 1_000_000_000_000L);

    assertThat(both.of(wire, verdict))
        .containsEntry("RateLimit-Policy", "\"search-1m\";q=100;w=60;comporta-by=fixed-window")
        .containsEntry("RateLimit", "\"search-1m\";r=73;t=16;comporta-t=15001");
  }

  @Test
  void tellsNoHintsUnlessTheyAreChosen() {
    LimitSpec limit = LimitSpec.parse("100/1m", Algorithm.FIXED_WINDOW);
    Policy policy = new Policy("search", List.of(limit), Map.of(), true);
    Verdict verdict =
        new Verdict.Admitted(List.of(new Standing(100, 73, 15_000_001, 0)), 1_000_000_000_000L);
    RateLimitHeaders ietf = new RateLimitHeaders(EnumSet.of(Dialect.IETF));

    assertThat(ietf.of(WireLimit.of(policy, List.of(limit)), verdict))
        .containsExactly(
            entry("RateLimit-Policy", "\"search-1m\";q=100;w=60"),
            entry("RateLimit", "\"search-1m\";r=73;t=16"));
  }

  @Test
  void roundsTimesUp() {
    Verdict verdict =
        new Verdict.Admitted(List.of(new Standing(100, 73, 15_000_001, 0)), 999_999_999_999L);

    assertThat(both.of(List.of(new WireLimit("a", 1_500_000, false)), verdict))
        .containsEntry("X-RateLimit-Reset", "1000015")
        .containsEntry("RateLimit-Policy", "\"a\";q=100;w=2")
        .containsEntry("RateLimit", "\"a\";r=73;t=16");
  }

  @Test
  void tellsAWindowBelowASecondAsOne() {
    Verdict verdict = new Verdict.Admitted(List.of(new Standing(5, 4, 1, 0)), 0);

    assertThat(both.of(List.of(new WireLimit("a", 1_000, false)), verdict))
        .containsEntry("RateLimit-Policy", "\"a\";q=5;w=1")
        .containsEntry("X-RateLimit-Reset", "1");
  }

  @Test
  void tellsWhenTheNextPassesOnceNothingRemains() {
    Verdict verdict = new Verdict.Admitted(List.of(new Standing(100, 0, 60_000_000, 600_000)), 0);

    assertThat(both.of(List.of(MINUTE), verdict))
        .containsEntry("RateLimit", "\"search-1m\";r=0;t=1")
        .containsEntry("X-RateLimit-Reset", "60");
  }

  @Test
  void bindsTheLimitWithTheFewestRemaining() {
    Verdict verdict =
        new Verdict.Admitted(List.of(new Standing(100, 50, 1, 0), new Standing(1000, 49, 2, 0)), 0);

    assertThat(both.of(List.of(MINUTE, DAY), verdict))
        .containsEntry("X-RateLimit-Limit", "1000")
        .containsEntry("X-RateLimit-Remaining", "49");
  }

  @Test
  void bindsTheLimitThatRefusesEvenIfAnotherHasLess() {
    Verdict verdict =
        new Verdict.Refused(
            List.of(new Standing(100, 1, 1_000_000, 0), new Standing(1000, 7, 2_000_000, 0)),
            0,
            1,
            90_000_001);

    assertThat(both.of(List.of(MINUTE, DAY), verdict))
        .containsEntry("X-RateLimit-Limit", "1000")
        .containsEntry("X-RateLimit-Remaining", "7")
        .containsEntry("RateLimit", "\"search-1m\";r=1;t=1, \"search-1d\";r=7;t=91");
  }

  @Test
  void leavesOutALimitForEveryoneUnlessItRefuses() {
    List<Standing> standings =
        List.of(new Standing(100, 50, 1, 0), new Standing(9, 0, 1_000_000, 400_000));

    assertThat(both.of(List.of(MINUTE, ALL_OF_US), new Verdict.Admitted(standings, 0)))
        .containsEntry("X-RateLimit-Limit", "100")
        .containsEntry("RateLimit-Policy", "\"search-1m\";q=100;w=60");
    assertThat(both.of(List.of(MINUTE, ALL_OF_US), new Verdict.Refused(standings, 0, 1, 400_000)))
        .containsEntry("X-RateLimit-Limit", "9")
        .containsEntry("RateLimit", "\"search-1m\";r=50;t=1, \"search-1h-everyone\";r=0;t=1");
  }

  @Test
  void tellsNothingWhenEveryLimitIsForEveryone() {
    Verdict verdict = new Verdict.Admitted(List.of(new Standing(9, 8, 1, 0)), 0);

    assertThat(both.of(List.of(ALL_OF_US), verdict)).isEmpty();
  }

  @Test
  void tellsNothingWhenNoStoreDecided() {
    assertThat(both.of(List.of(MINUTE), new Verdict.Unchecked())).isEmpty();
    assertThat(both.of(List.of(MINUTE), new Verdict.Unavailable(1))).isEmpty();
  }

  @Test
  void bindsTheLimitThatCanNeverPass() {
    Verdict verdict =
        new Verdict.Impossible(
            List.of(new Standing(5, 5, 0, 0), new Standing(1000, 1, 1, 0)), 0, 0);

    assertThat(both.of(List.of(MINUTE, DAY), verdict))
        .containsEntry("X-RateLimit-Limit", "5")
        .containsEntry("X-RateLimit-Remaining", "5");
  }

  @Test
  void speaksOnlyTheDialectsThatAreChosen() {
    Verdict verdict = new Verdict.Admitted(List.of(new Standing(100, 73, 1, 0)), 0);

    assertThat(new RateLimitHeaders(Set.of(Dialect.LEGACY)).of(List.of(MINUTE), verdict))
        .containsOnlyKeys("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
    assertThat(new RateLimitHeaders(Set.of(Dialect.IETF)).of(List.of(MINUTE), verdict))
        .containsOnlyKeys("RateLimit-Policy", "RateLimit");
    assertThat(new RateLimitHeaders(Set.of()).of(List.of(MINUTE), verdict)).isEmpty();
  }

  @Test
  void namesLimitsAsThePolicyDoes() {
    LimitSpec limit = LimitSpec.parse("10/1m");
    Policy policy =
        new Policy("Books.search", List.of(limit, limit.perEach(By.EVERYONE)), Map.of(), false);

    Optional<String> hint = Optional.of(";comporta-by=token-bucket");
    assertThat(WireLimit.of(policy, policy.limits()))
        .containsExactly(
            new WireLimit("Books.search-1m", "\"Books.search-1m\"", 60_000_000, false, hint),
            new WireLimit(
                "Books.search-1m-everyone",
                "\"Books.search-1m-everyone\"",
                60_000_000,
                true,
                hint));
  }

  @Test
  void tellsTheSpanInWhichABurstComesBack() {
    LimitSpec limit = LimitSpec.parse("60/1m").withBurst(120);
    Policy policy = new Policy("p", List.of(limit), Map.of(), false);

    assertThat(WireLimit.of(policy, policy.limits()).get(0).windowMicros()).isEqualTo(120_000_000);
  }
}
