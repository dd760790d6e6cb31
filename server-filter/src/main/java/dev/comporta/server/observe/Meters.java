package dev.comporta.server.observe;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.cdi.Beans;
import dev.comporta.server.observe.StoreStatus.Condition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/*
 * How this works, and why. Each combination of label values is a time series that a monitoring
 * system keeps for long. So no label has a value that a caller chooses: policies and tiers are those
 * of the configuration, outcomes are ours. That also bounds the maps below. Counters are looked up
 * once and then only incremented: a look-up in a registry sorts and hashes the labels each time.
 */
/** Counts what is decided, with Micrometer. Loaded only where its classes are. */
final class Meters implements RateLimitListener, AutoCloseable {

  private static final String NO_TIER = "none";

  private final MeterRegistry registry;
  private final StoreStatus store; // Micrometer holds what its function counters read only weakly.
  private final Map<Series, Counters> counters = new ConcurrentHashMap<>();
  private final Map<Tiered, Counter> nearLimits = new ConcurrentHashMap<>();
  private final List<Runnable> removals = new ArrayList<>();

  private record Tiered(String policy, Optional<String> tier) {

    Tags tags() {
      return Tags.of("policy", policy, "tier", tier.orElse(NO_TIER));
    }
  }

  private record Series(Meter meter, Tiered tiered, Outcome outcome) {

    Tags tags() {
      return tiered.tags().and("outcome", outcome.label());
    }
  }

  private record Counters(Counter times, Counter cost) {}

  Meters(MeterRegistry registry, StoreStatus store) {
    this.registry = registry;
    this.store = store;
    addGauge(Meter.STATES, StoreStatus::statesInMemory);
    addGauge(Meter.SHARED, shown -> shown.isShared() ? 1 : 0);
    addGauge(Meter.WORKING, shown -> shown.condition() == Condition.WORKING ? 1 : 0);
    addCounter(Meter.TRIPS, shown -> shown.trips().trips());
    addCounter(Meter.CARRIED, shown -> shown.trips().carried());
    addCounter(Meter.REPEATED, shown -> shown.trips().repeated());
    addCounter(Meter.LEASED, shown -> shown.trips().leased());
    addCounter(Meter.LATE, shown -> shown.outages().late());
    addCounter(Meter.FAILED, shown -> shown.outages().failed());
    addCounter(Meter.FAULTY, shown -> shown.outages().faulty());
    addCounter(Meter.ALONE, shown -> shown.outages().alone());
  }

  /** In the registry that the application has as a bean, or else in that of the process. */
  static Meters ofApplication(StoreStatus store) {
    return new Meters(Beans.one(MeterRegistry.class).orElse(Metrics.globalRegistry), store);
  }

  @Override
  public void on(RateLimitEvent event) {
    if (event instanceof RateLimitEvent.AskedForMore more) {
      count(more.answer(), Meter.MORE);
    } else if (event instanceof RateLimitEvent.NearLimit near) {
      Tiered tiered = new Tiered(near.policy(), near.tier());
      nearLimits
          .computeIfAbsent(tiered, missing -> counter(Meter.NEAR_LIMIT, missing.tags()))
          .increment();
    } else {
      count(event, Meter.DECISIONS);
    }
  }

  private void count(RateLimitEvent event, Meter meter) {
    if (event instanceof RateLimitEvent.Allowed allowed) {
      count(meter, allowed, Outcome.ALLOWED, allowed.cost());
    } else if (event instanceof RateLimitEvent.Refused refused) {
      count(meter, refused, Outcome.REFUSED, refused.cost());
    } else if (event instanceof RateLimitEvent.ShadowRefused refused) {
      count(meter, refused, Outcome.SHADOW_REFUSED, refused.cost());
    } else if (event instanceof RateLimitEvent.Barred barred) {
      count(meter, barred, Outcome.BARRED, 0);
    } else if (event instanceof RateLimitEvent.StoreTrouble trouble) {
      Tiered tiered = new Tiered(trouble.policy(), Optional.empty());
      count(meter, tiered, trouble.isRefused() ? Outcome.UNAVAILABLE : Outcome.UNCHECKED, 0);
    } else if (event instanceof RateLimitEvent.ShadowTrouble trouble) {
      count(meter, new Tiered(trouble.policy(), Optional.empty()), Outcome.SHADOW_UNASKED, 0);
    }
  }

  /** Forgets the store; what has been counted stays. */
  @Override
  public void close() {
    removals.forEach(Runnable::run);
  }

  private void count(Meter meter, RateLimitEvent.Decided decided, Outcome outcome, long cost) {
    count(meter, new Tiered(decided.policy(), decided.tier()), outcome, cost);
  }

  private void count(Meter meter, Tiered tiered, Outcome outcome, long cost) {
    Counters found = counters.computeIfAbsent(new Series(meter, tiered, outcome), this::counters);
    found.times().increment();
    if (cost > 0) {
      found.cost().increment((double) cost);
    }
  }

  private Counters counters(Series series) {
    return new Counters(counter(series.meter(), series.tags()), counter(Meter.COST, series.tags()));
  }

  private Counter counter(Meter meter, Tags tags) {
    return Counter.builder(meter.id()).description(meter.meaning()).tags(tags).register(registry);
  }

  private void addGauge(Meter meter, ToDoubleFunction<StoreStatus> value) {
    Gauge gauge =
        Gauge.builder(meter.id(), store, value)
            .description(meter.meaning())
            .tags("application", store.application())
            .strongReference(true)
            .register(registry);
    removals.add(() -> registry.remove(gauge));
  }

  private void addCounter(Meter meter, ToDoubleFunction<StoreStatus> value) {
    FunctionCounter counter =
        FunctionCounter.builder(meter.id(), store, value)
            .description(meter.meaning())
            .tags("application", store.application())
            .register(registry);
    removals.add(() -> registry.remove(counter));
  }
}
