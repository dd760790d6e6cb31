package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.api.RefusalBody;
import dev.comporta.server.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RefusalTest {

  private static final List<WireLimit> LIMITS =
      List.of(new WireLimit("a-1m", 60_000_000, false), new WireLimit("b-1h", 1, false));

  private static final List<Standing> STANDINGS =
      List.of(new Standing(10, 0, 60_000_000, 6_000_000), new Standing(5, 5, 0, 0));

  @Test
  void saysWhenTheRequestPasses() {
    Refusal refusal =
        Refusal.of(LIMITS, new Verdict.Refused(STANDINGS, 0, 0, 59_000_001)).orElseThrow();

    assertThat(refusal).isEqualTo(Refusal.overLimit("a-1m", 60_000_000));
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.headers())
        .containsExactly(entry("Retry-After", "60"), entry("Cache-Control", "no-store"));
  }

  @Test
  void namesNoTimeWhenTheRequestNeverPasses() {
    Refusal refusal = Refusal.of(LIMITS, new Verdict.Impossible(STANDINGS, 0, 1)).orElseThrow();

    assertThat(refusal).isEqualTo(Refusal.neverPasses("b-1h"));
    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.headers()).containsExactly(entry("Cache-Control", "no-store"));
  }

  @Test
  void isNoFaultOfTheCallerWhenNoStoreDecides() {
    Refusal refusal = Refusal.of(LIMITS, new Verdict.Unavailable(1)).orElseThrow();

    assertThat(refusal).isEqualTo(Refusal.notChecked(1));
    assertThat(refusal.status()).isEqualTo(503);
    assertThat(refusal.headers())
        .containsExactly(entry("Retry-After", "1"), entry("Cache-Control", "no-store"));
  }

  @Test
  void isNoneWhenTheRequestPasses() {
    assertThat(Refusal.of(LIMITS, new Verdict.Admitted(STANDINGS, 0))).isEmpty();
    assertThat(Refusal.of(LIMITS, new Verdict.Unchecked())).isEmpty();
  }

  @Test
  void blockIsA429WithTheTimeLeftOrA403WithoutOne() {
    assertThat(Refusal.blockedFor(1_500_000).status()).isEqualTo(429);
    assertThat(Refusal.blockedFor(1_500_000).headers()).containsEntry("Retry-After", "2");
    assertThat(Refusal.blocked().status()).isEqualTo(403);
    assertThat(Refusal.blocked().headers()).containsOnlyKeys("Cache-Control");
    assertThat(Refusal.callerUnknown().status()).isEqualTo(403);
    assertThat(Refusal.callerUnknown().headers()).containsOnlyKeys("Cache-Control");
  }

  @Test
  void tellsTheApplicationTheSame() {
    assertThat(Refusal.overLimit("a-1m", 1_500_000).toApplication())
        .isEqualTo(
            new RefusalBody.Refusal(429, Optional.of("a-1m"), Optional.of(Duration.ofSeconds(2))));
    assertThat(Refusal.blocked().toApplication())
        .isEqualTo(new RefusalBody.Refusal(403, Optional.empty(), Optional.empty()));
  }

  @Test
  void jitterReachesHeaderBodyAndApplicationAlike() {
    RetryAfterJitter jitter = new RetryAfterJitter(OptionalInt.of(100), OptionalLong.empty());

    Refusal refusal = Refusal.overLimit("a-1m", 60_000_000).with(jitter, -1);

    RefusalAnswer answer = RefusalAnswer.of(refusal, Optional.empty(), Optional.empty());
    assertThat(answer.headers()).containsEntry("Retry-After", "120");
    assertThat(answer.body()).contains("Try again in 120 seconds.", "\"retryAfter\":120");
    assertThat(refusal.toApplication().retryAfter()).contains(Duration.ofMinutes(2));
  }

  @Test
  void jitterMakesNoTimeWhereThereIsNone() {
    RetryAfterJitter jitter = new RetryAfterJitter(OptionalInt.empty(), OptionalLong.of(9));

    assertThat(Refusal.neverPasses("a-1m").with(jitter, -1)).isEqualTo(Refusal.neverPasses("a-1m"));
  }

  @Test
  void refusesAKindWithoutWhatItTellsOrWithMore() {
    Optional<String> limit = Optional.of("a-1m");
    OptionalLong time = OptionalLong.of(1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Refusal(RefusalKind.OVER_LIMIT, Optional.empty(), time))
        .withMessage("a limit must be named by OVER_LIMIT");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Refusal(RefusalKind.NOT_CHECKED, limit, time))
        .withMessage("no limit may be named by NOT_CHECKED");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Refusal(RefusalKind.OVER_LIMIT, limit, OptionalLong.empty()))
        .withMessage("a time must be told by OVER_LIMIT");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Refusal(RefusalKind.NEVER_PASSES, limit, time))
        .withMessage("no time may be told by NEVER_PASSES");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Refusal(RefusalKind.OVER_LIMIT, limit, OptionalLong.of(0)))
        .withMessage("retryAfterSeconds must be > 0, was 0");
  }
}
