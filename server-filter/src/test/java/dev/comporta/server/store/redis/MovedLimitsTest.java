package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import java.util.List;
import org.junit.jupiter.api.Test;

class MovedLimitsTest {

  private static final RateAlgorithm HOUR = new TokenBucket(10, 3_600_000_000L, 10);
  private static final RateAlgorithm DAY = new TokenBucket(10, 86_400_000_000L, 10);

  private final MovedLimits moved = new MovedLimits();

  @Test
  void limitsThatNeverChangedAreWhereTheyWere() {
    List<KeyedLimit> limits = List.of(new KeyedLimit("n:{a}:p:1h", HOUR));

    moved.learn(limits);

    assertThat(moved.now(limits)).isSameAs(limits);
  }

  @Test
  void changedLimitIsFoundUnderItsNewKeyAndUnderItsFormerOneForEveryCaller() {
    moved.learn(List.of(new KeyedLimit("n:{a}:p:1d", DAY, List.of("n:{a}:p:1h"))));

    assertThat(moved.now(List.of(new KeyedLimit("n:{b}:p:1h", HOUR))))
        .containsExactly(new KeyedLimit("n:{b}:p:1d", DAY, List.of("n:{b}:p:1h")));
  }

  @Test
  void limitThatIsAsItWasAgainIsWhereItWas() {
    moved.learn(List.of(new KeyedLimit("n:{a}:p:1d", DAY, List.of("n:{a}:p:1h"))));
    moved.learn(List.of(new KeyedLimit("n:{a}:p:1h", HOUR, List.of("n:{a}:p:1d"))));

    assertThat(moved.now(List.of(new KeyedLimit("n:{b}:p:1h", HOUR))))
        .containsExactly(new KeyedLimit("n:{b}:p:1h", HOUR));
    assertThat(moved.now(List.of(new KeyedLimit("n:{b}:p:1d", DAY))))
        .containsExactly(new KeyedLimit("n:{b}:p:1h", HOUR, List.of("n:{b}:p:1d")));
  }

  @Test
  void limitsThatBecameOneAreGivenBackOnce() {
    moved.learn(List.of(new KeyedLimit("n:{a}:p:1d", DAY, List.of("n:{a}:p:1h", "n:{a}:p:2h"))));

    assertThat(
            moved.now(
                List.of(new KeyedLimit("n:{b}:p:1h", HOUR), new KeyedLimit("n:{b}:p:2h", HOUR))))
        .hasSize(1);
  }
}
