package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.api.Charge;
import dev.comporta.server.policy.SpanWindow;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.OnceAMinute;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JudgedTest {

  private static final List<KeyedLimit> LIMITS =
      List.of(new KeyedLimit("a", new FixedWindow(10, new SpanWindow(Duration.ofHours(1)))));

  private final MemoryLimitStore store = new MemoryLimitStore(10, () -> 1_000_000_000L);
  private final List<Verdict> told = new ArrayList<>();

  @Test
  void requestThatIsFreeByItsOutcomeIsChargedNoMoreByEitherWay() {
    Judged judged = judged(Charge.SUCCESSES);
    judged.settleFailed();

    judged.charge(3);
    boolean passes = judged.tryCharge(3);

    assertThat(passes).isTrue();
    assertThat(remaining()).isEqualTo(10);
    assertThat(told).isEmpty();
  }

  @Test
  void requestThatKeepsItsChargeIsChargedMoreAfterItsOutcome() {
    Judged judged = judged(Charge.FAILURES);
    judged.settleFailed();

    assertThat(judged.tryCharge(3)).isTrue();
    assertThat(judged.tryCharge(7)).isFalse();

    assertThat(remaining()).isEqualTo(6);
    assertThat(told).hasSize(2);
  }

  private long remaining() {
    return store.peek(LIMITS).standings().get(0).remaining();
  }

  private Judged judged(Charge charge) {
    Charges charges = new Charges(store, same -> same, LIMITS);
    Verdict verdict = store.decide(LIMITS, 1);
    charges.took(1, verdict);
    return new Judged(
        new Judged.Terms(List.of(), charge, Optional.empty(), new OnceAMinute(() -> 0)),
        verdict,
        charges,
        new Noted(told));
  }

  private record Noted(List<Verdict> told) implements Judged.LaterDecision {

    @Override
    public void tell(long permits, Verdict verdict) {
      told.add(verdict);
    }

    @Override
    public void tellShadow(int place, long permits, Verdict verdict) {
      told.add(verdict);
    }
  }
}
