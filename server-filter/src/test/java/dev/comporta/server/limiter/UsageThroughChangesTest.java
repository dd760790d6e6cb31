package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import jakarta.ws.rs.GET;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of usage when the limits of a policy change, as often as they may. */
class UsageThroughChangesTest {

  static class Resource {
    @GET
    @RateLimited(value = "10/1m", policy = "search")
    public void search() {}
  }

  private static final long MINUTE = 60_000_000;

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L);
  private final MemoryLimitStore store = new MemoryLimitStore(1_000, now::get);
  private final PolicyCatalog catalog =
      new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
  private final PolicyTiers tiers = new PolicyTiers(catalog, now::get);

  @BeforeEach
  void discover() {
    catalog.discoverAll(Resource.class);
  }

  @Test
  void usageOfWhoStayedAwayIsKeptThroughAsManyChangesAsThereMayBeFormerKeys() {
    take("ann", 4);

    for (int i = 1; i <= KeyedLimit.MOST_FORMER_KEYS; i++) {
      change("10/" + (10 + i) + "m");
      take("ben " + i, 1);
    }

    assertThat(remaining("ann")).isEqualTo(6);
    take("ann", 1);
    assertThat(remaining("ann")).isEqualTo(5);
    assertThat(remaining("ben 8")).isEqualTo(9);
  }

  @Test
  void usageOfWhoStayedAwayLongerThanThatIsForgotten() {
    take("ann", 4);

    for (int i = 1; i <= KeyedLimit.MOST_FORMER_KEYS + 1; i++) {
      change("10/" + (10 + i) + "m");
      take("ben", 1);
    }

    assertThat(remaining("ann")).isEqualTo(10);
    assertThat(keyed("ann").get(0).formerKeys()).hasSize(KeyedLimit.MOST_FORMER_KEYS);
  }

  @Test
  void usageIsKeptThroughChangesBetweenWhichNobodyCame() {
    take("ann", 4);

    change("10/2m");
    change("10/5m");
    change("20/5m", "100/1h");

    assertThat(remaining("ann")).isEqualTo(16);
  }

  @Test
  void nodeThatHasCountedNothingYetGoesOnFromWhatOthersCounted() {
    take("ann", 4);
    change("10/2m");
    take("ben", 3);
    change("10/5m");
    PolicyTiers other = new PolicyTiers(catalog, now::get);

    assertThat(keyed(other, "ann").get(0).formerKeys())
        .containsExactly("{ann}:search:2m:tb", "{ann}:search:1m:tb");
  }

  @Test
  void nodeThatSleptThroughAChangeAndBackLooksWhereOthersCountedMeanwhile() {
    PolicyTiers other = new PolicyTiers(catalog, now::get);
    keyed(other, "ann");
    change("10/2m");
    take("ann", 4);
    change("10/1m");

    assertThat(keyed(other, "ann").get(0).formerKeys()).containsExactly("{ann}:search:2m:tb");
  }

  @Test
  void usageIsCountedOnceWhenALimitChangesAndBack() {
    take("ann", 4);
    change("10/2m");
    take("ann", 1);

    change("10/1m");
    take("ann", 1);
    change("10/2m");

    assertThat(remaining("ann")).isEqualTo(4);
    assertThat(store.size()).isEqualTo(2);
  }

  @Test
  void formerKeyIsDroppedWhenNothingUnderItCanHaveAnEffect() {
    change("10/5m");
    keyed("ann");
    change("10/1m");
    keyed("ann");
    now.addAndGet(15 * MINUTE - 1);
    assertThat(keyed("ann").get(0).formerKeys()).hasSize(1);

    now.incrementAndGet();

    assertThat(keyed("ann").get(0).formerKeys()).isEmpty();
    assertThat(tiers.limits(catalog.policy("search").orElseThrow(), Optional.empty()))
        .isSameAs(tiers.limits(catalog.policy("search").orElseThrow(), Optional.empty()));
  }

  @Test
  void callerWhomALongerWindowRefusesStaysRefusedUntilItSays() {
    change("10/1m;algorithm=sliding-window-log");
    take("ann", 10);
    change("5/1h;algorithm=sliding-window-log");
    now.addAndGet(MINUTE / 2);

    Verdict.Refused refused = (Verdict.Refused) store.decide(keyed("ann"), 1);

    assertThat(refused.retryAfterMicros()).isEqualTo(59 * MINUTE + MINUTE / 2);
    now.addAndGet(refused.retryAfterMicros() - 1);
    assertThat(store.decide(keyed("ann"), 1)).isInstanceOf(Verdict.Refused.class);
    now.incrementAndGet();
    assertThat(store.decide(keyed("ann"), 1)).isInstanceOf(Verdict.Admitted.class);
  }

  @Test
  void formerKeyIsKeptForTheLongestLimitThatCountedUnderIt() {
    change("10/1m;burst=100"); // full again after 10 minutes
    keyed("ann");
    change("10/1m");
    keyed("ann");

    change("10/2m");
    keyed("ann");
    now.addAndGet(25 * MINUTE - 1);

    assertThat(keyed("ann").get(0).formerKeys()).hasSize(1);
    now.incrementAndGet();
    assertThat(keyed("ann").get(0).formerKeys()).isEmpty();
  }

  @Test
  void policyThatChangesEveryMinuteKeepsAFewKeysAndNoneInTheEnd() {
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      change("10/" + (1 + random.nextInt(1_440)) + "m");
      now.addAndGet(MINUTE);

      assertThat(keyed("ann").get(0).formerKeys())
          .as("seed 7, change %d", i)
          .hasSizeLessThanOrEqualTo(KeyedLimit.MOST_FORMER_KEYS);
    }

    now.addAndGet(3 * 1_440 * MINUTE);

    assertThat(keyed("ann").get(0).formerKeys()).isEmpty();
    assertThat(catalog.history().byName().get("search")).hasSize(8);
  }

  @Test
  void refundReachesUsageThatHasMovedSince() {
    Charges charges = charged("ann", 4);
    change("10/2m");
    take("ann", 1);
    change("10/5m");
    take("ann", 1);

    charges.giveBack(4);

    assertThat(remaining("ann")).isEqualTo(8);
  }

  @Test
  void surchargeReachesUsageThatHasMovedSince() {
    Charges charges = charged("ann", 1);
    change("10/2m");
    take("ann", 1);

    charges.add(3);

    assertThat(remaining("ann")).isEqualTo(5);
  }

  @Test
  void whatIsAskedForLaterIsDecidedByTheLimitAsItIsThen() {
    Charges charges = charged("ann", 1);
    change("3/2m");
    take("ann", 1);

    assertThat(charges.tryAdd(2)).isInstanceOf(Verdict.Refused.class);
    assertThat(charges.tryAdd(1)).isInstanceOf(Verdict.Admitted.class);
    assertThat(remaining("ann")).isZero();
  }

  @Test
  void refundOfALimitThatIsGoneGivesNothingToTheOthers() {
    change("10/1m", "20/1h");
    Charges charges = charged("ann", 4);
    change("20/1h");
    take("ann", 1);

    charges.giveBack(4);

    assertThat(remaining("ann")).isEqualTo(19);
  }

  @Test
  void refundIsNotGivenTwiceWhereAnotherLimitHasTakenTheKeyOfOneThatIsGone() {
    change("10/1m", "20/1h");
    Charges charges = charged("ann", 4);
    change("20/1h");
    take("ann", 1);
    change("20/1m");
    take("ann", 5);
    long before = remaining("ann");

    charges.giveBack(4);

    assertThat(remaining("ann")).isEqualTo(before + 4);
  }

  @Test
  void refundReachesTheMovedUsageOfALimitInShadow() {
    change("10/1m;shadow");
    CountedLimits shadow = shadow();
    Charges charges = new Charges(store, same -> same, List.of());
    charges.decideShadow(shadow, shadow.keyed(limit -> "{ann}"), 4);
    change("10/2m;shadow");
    store.decide(shadow().keyed(limit -> "{ann}"), 1);

    charges.giveBack(4);

    assertThat(remaining(shadow().keyed(limit -> "{ann}").get(0))).isEqualTo(9);
  }

  @Test
  void limitsThatDifferOnlyInPermitsKeepTheirUsageInAnotherOrder() {
    change("10/1m", "20/1m", "30/1m");
    store.decide(List.of(keyed("ann").get(0)), 1);
    store.decide(List.of(keyed("ann").get(1)), 2);
    store.decide(List.of(keyed("ann").get(2)), 3);

    change("30/1m", "10/1m", "20/1m");

    assertThat(keyed("ann")).extracting(this::remaining).containsExactly(27L, 9L, 18L);
  }

  @Test
  void limitsOfOneWindowKeepTheirUsageWhenThePermitsOfOneChange() {
    change("10/1m", "20/1m");
    store.decide(List.of(keyed("ann").get(0)), 1);
    store.decide(List.of(keyed("ann").get(1)), 2);

    change("20/1m", "30/1m"); // the lesser is raised above the other

    assertThat(keyed("ann")).extracting(this::remaining).containsExactly(18L, 29L);
    change("30/1m");
    assertThat(keyed("ann")).extracting(this::remaining).containsExactly(29L);
  }

  @Test
  void limitKeepsItsUsageWhenAnotherOfItsWindowComesAndGoes() {
    take("ann", 4);

    change("10/1m", "10/1m;burst=5");
    assertThat(keyed("ann")).extracting(this::remaining).containsExactly(6L, 5L);
    take("ann", 1);
    change("10/1m");

    assertThat(remaining("ann")).isEqualTo(5);
    assertThat(keyed("ann").get(0).key()).isEqualTo("{ann}:search:1m:tb");
  }

  @Test
  void shadowOfALimitThatIsWrittenAlikeHasAKeyOfItsOwnInEitherOrder() {
    change("10/1m", "10/1m;shadow");
    List<KeyedLimit> enforced = keyed("ann");
    List<KeyedLimit> watched = shadow().keyed(limit -> "{ann}");

    change("10/1m;shadow", "10/1m");

    assertThat(keyed("ann").get(0).key()).isEqualTo(enforced.get(0).key());
    assertThat(shadow().keyed(limit -> "{ann}").get(0).key()).isEqualTo(watched.get(0).key());
    assertThat(enforced.get(0).key()).isNotEqualTo(watched.get(0).key());
  }

  private void change(String... limits) {
    assertThat(catalog.override("search", Arrays.stream(limits).map(LimitSpec::parse).toList()))
        .isEmpty();
  }

  private CountedLimits shadow() {
    return tiers.limits(catalog.policy("search").orElseThrow(), Optional.empty()).shadows().get(0);
  }

  private List<KeyedLimit> keyed(String caller) {
    return keyed(tiers, caller);
  }

  private List<KeyedLimit> keyed(PolicyTiers by, String caller) {
    return enforced(by).keyed(limit -> "{" + caller + "}");
  }

  private CountedLimits enforced(PolicyTiers by) {
    return by.limits(catalog.policy("search").orElseThrow(), Optional.empty()).enforced();
  }

  private Charges charged(String caller, long cost) {
    List<KeyedLimit> keyed = keyed(caller);
    Charges charges = new Charges(store, enforced(tiers), keyed);
    charges.took(cost, store.decide(keyed, cost));
    return charges;
  }

  private void take(String caller, long cost) {
    assertThat(store.decide(keyed(caller), cost)).isInstanceOf(Verdict.Admitted.class);
  }

  private long remaining(String caller) {
    return remaining(keyed(caller).get(0));
  }

  private long remaining(KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }
}
