package dev.comporta.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.observe.StoreStatus.Condition;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetersTest {

  private static final Optional<String> NO_TIER = Optional.empty();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry, Stores.inMemory("books"));

  @Test
  void countsDecisionsAndPermitsByPolicyTierAndOutcome() {
    meters.on(new RateLimitEvent.Allowed("search", NO_TIER, Optional.empty(), 3));
    meters.on(new RateLimitEvent.Allowed("search", NO_TIER, Optional.empty(), 4));
    meters.on(new RateLimitEvent.Allowed("search", Optional.of("premium"), Optional.empty(), 1));
    meters.on(
        new RateLimitEvent.Refused(
            "search", NO_TIER, Optional.empty(), 5, "search-1m", Optional.of(Duration.ZERO)));
    meters.on(
        new RateLimitEvent.ShadowRefused(
            "search", NO_TIER, Optional.empty(), 6, "search-1m", Optional.empty()));

    assertThat(count(Meter.DECISIONS, "search", "none", "allowed")).isEqualTo(2);
    assertThat(count(Meter.COST, "search", "none", "allowed")).isEqualTo(7);
    assertThat(count(Meter.DECISIONS, "search", "premium", "allowed")).isEqualTo(1);
    assertThat(count(Meter.DECISIONS, "search", "none", "refused")).isEqualTo(1);
    assertThat(count(Meter.COST, "search", "none", "refused")).isEqualTo(5);
    assertThat(count(Meter.DECISIONS, "search", "none", "shadow_refused")).isEqualTo(1);
    assertThat(count(Meter.COST, "search", "none", "shadow_refused")).isEqualTo(6);
  }

  @Test
  void countsMorePermitsApartFromRequests() {
    meters.on(new RateLimitEvent.Allowed("search", NO_TIER, Optional.empty(), 1));
    meters.on(
        new RateLimitEvent.AskedForMore(
            new RateLimitEvent.Allowed("search", NO_TIER, Optional.empty(), 4)));
    meters.on(
        new RateLimitEvent.AskedForMore(
            new RateLimitEvent.Refused(
                "search", NO_TIER, Optional.empty(), 5, "search-1m", Optional.empty())));

    assertThat(count(Meter.DECISIONS, "search", "none", "allowed")).isEqualTo(1);
    assertThat(count(Meter.MORE, "search", "none", "allowed")).isEqualTo(1);
    assertThat(count(Meter.MORE, "search", "none", "refused")).isEqualTo(1);
    assertThat(count(Meter.COST, "search", "none", "allowed")).isEqualTo(5);
    assertThat(count(Meter.COST, "search", "none", "refused")).isEqualTo(5);
    assertThat(registry.find(Meter.DECISIONS.id()).tags("outcome", "refused").counter()).isNull();
  }

  @Test
  void tellsStoreTroubleThatRefusesFromTroubleThatLetsPass() {
    meters.on(new RateLimitEvent.StoreTrouble("search", true));
    meters.on(new RateLimitEvent.StoreTrouble("search", false));
    meters.on(new RateLimitEvent.StoreTrouble("search", false));

    assertThat(count(Meter.DECISIONS, "search", "none", "unavailable")).isEqualTo(1);
    assertThat(count(Meter.DECISIONS, "search", "none", "unchecked")).isEqualTo(2);
  }

  @Test
  void countsCallersThatComeNearTheirLimit() {
    meters.on(
        new RateLimitEvent.NearLimit("search", NO_TIER, Optional.empty(), "search-1m", 20, 100));

    double counted =
        registry
            .get(Meter.NEAR_LIMIT.id())
            .tags("policy", "search", "tier", "none")
            .counter()
            .count();
    assertThat(counted).isEqualTo(1);
  }

  /** S119: a label that a caller chooses makes a series per caller. */
  @Test
  void hasAsManySeriesAfterTenThousandCallersAsAfterOne() {
    tellOf(Caller.of("principal", "ann"));
    int afterOne = registry.getMeters().size();

    for (int i = 0; i < 10_000; i++) {
      tellOf(Caller.of("address", "192.0.2." + i));
    }

    assertThat(registry.getMeters()).hasSize(afterOne);
    assertThat(
            registry.getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(Tag::getKey)
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("policy", "tier", "outcome", "application");
  }

  private void tellOf(Caller caller) {
    Optional<Caller> known = Optional.of(caller);
    meters.on(new RateLimitEvent.Allowed("search", NO_TIER, known, 1));
    meters.on(
        new RateLimitEvent.Refused("search", NO_TIER, known, 1, "search-1m", Optional.empty()));
    meters.on(
        new RateLimitEvent.ShadowRefused(
            "search", NO_TIER, known, 1, "search-1m", Optional.empty()));
    meters.on(new RateLimitEvent.NearLimit("search", NO_TIER, known, "search-1m", 1, 100));
  }

  @Test
  void countsTripsOfTheStoreAndWhatTheySaved() {
    SimpleMeterRegistry another = new SimpleMeterRegistry();
    Meters shown = new Meters(another, Stores.shared("books", Condition.WORKING));

    assertThat(another.get(Meter.TRIPS.id()).functionCounter().count()).isEqualTo(3);
    assertThat(another.get(Meter.CARRIED.id()).functionCounter().count()).isEqualTo(40);
    assertThat(another.get(Meter.REPEATED.id()).functionCounter().count()).isEqualTo(500);
    assertThat(another.get(Meter.LEASED.id()).functionCounter().count()).isEqualTo(60);

    shown.close();
    assertThat(another.getMeters()).isEmpty();
  }

  @Test
  void countsWhatTheStoreDidNotAnswer() {
    SimpleMeterRegistry another = new SimpleMeterRegistry();
    Meters shown = new Meters(another, Stores.shared("books", Condition.AWAY));

    assertThat(another.get(Meter.LATE.id()).functionCounter().count()).isEqualTo(11);
    assertThat(another.get(Meter.FAILED.id()).functionCounter().count()).isEqualTo(12);
    assertThat(another.get(Meter.FAULTY.id()).functionCounter().count()).isEqualTo(13);
    assertThat(another.get(Meter.ALONE.id()).functionCounter().count()).isEqualTo(14);

    shown.close();
    assertThat(another.getMeters()).isEmpty();
  }

  @Test
  void showsTheStoreUntilClosed() {
    SimpleMeterRegistry another = new SimpleMeterRegistry();
    Meters shown = new Meters(another, Stores.shared("books", Condition.AWAY));
    assertThat(gauge(another, Meter.STATES)).isEqualTo(7);
    assertThat(gauge(another, Meter.SHARED)).isEqualTo(1);
    assertThat(gauge(another, Meter.WORKING)).isZero();

    shown.close();

    assertThat(another.getMeters()).isEmpty();
  }

  @Test
  void goesToTheRegistryOfTheProcessWhereNoBeanIsOne() {
    Metrics.globalRegistry.add(registry);
    try (Observers observers = Observers.open(Stores.inMemory("orders"), List.of(), () -> 1)) {
      observers.tell(new RateLimitEvent.Allowed("orders-policy", NO_TIER, Optional.empty(), 2));

      assertThat(count(Meter.COST, "orders-policy", "none", "allowed")).isEqualTo(2);
    } finally {
      Metrics.globalRegistry.remove(registry);
    }
  }

  private double count(Meter meter, String policy, String tier, String outcome) {
    return registry
        .get(meter.id())
        .tags("policy", policy, "tier", tier, "outcome", outcome)
        .counter()
        .count();
  }

  private static double gauge(SimpleMeterRegistry registry, Meter meter) {
    return registry.get(meter.id()).tags("application", "books").gauge().value();
  }
}
