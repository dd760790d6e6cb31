package dev.comporta.server.filter;

import dev.comporta.server.api.RefusalBody;
import dev.comporta.server.cdi.Beans;
import dev.comporta.server.cdi.InjectedLimits;
import dev.comporta.server.cdi.Registry;
import dev.comporta.server.config.LiveSettings;
import dev.comporta.server.config.SettingsReader;
import dev.comporta.server.config.SettingsWatch;
import dev.comporta.server.http.RetryAfterJitter;
import dev.comporta.server.limiter.Limiter;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.OnceAMinute;
import jakarta.ws.rs.core.Configuration;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an application has while it runs: its limiter, how it answers refusals, and the settings as
 * they are now. Thread-safe.
 */
final class Running implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Running.class);

  /** The most that a start waits for what running code has changed before it. */
  private static final Duration START_WAIT = Duration.ofMillis(500);

  private final PolicyCatalog catalog;
  private final Limiter limiter;
  private final List<RefusalBody> bodies;
  private final SettingsWatch watch;
  private final MicrosClock clock;
  private final Registry.Registration injected;
  private final Predicate<SettingsReader.Reading> taker = this::takeOn; // not one a request
  private volatile RefusalResponse refusals;

  private Running(LimitedApplication application, Configuration configuration) {
    this.catalog = application.catalog();
    this.clock = Composition.clock(configuration);
    this.limiter = new Composition(application.settings(), catalog, configuration).limiter();
    this.bodies = Beans.allAndServices(RefusalBody.class);
    this.watch = application.watch(clock.nowMicros());
    this.refusals = refusals(application.settings().live());
    limiter.beginToFollow(START_WAIT);
    this.injected = InjectedLimits.register(application.limits(configuration));
  }

  static Running open(LimitedApplication application, Configuration configuration) {
    return new Running(application, configuration);
  }

  Limiter limiter() {
    return limiter;
  }

  RefusalResponse refusals() {
    return refusals;
  }

  /**
   * Takes on settings that have changed, all of them or none, and what running code has changed on
   * other nodes, when it is time to look.
   */
  void refresh() {
    long nowMicros = clock.nowMicros();
    watch.readIfDue(nowMicros, taker);
    limiter.followChanges(nowMicros);
  }

  private boolean takeOn(SettingsReader.Reading reading) {
    LiveSettings live = reading.settings().live();
    List<PolicyFault> faults = catalog.reconfigure(live.policies(), reading.lookup());
    if (!faults.isEmpty()) {
      LOG.error("The settings have changed, but do not fit; those before stay: {}", faults);
      return false;
    }
    limiter.apply(Composition.rules(live));
    refusals = refusals(live);
    reading.warnings().forEach(warning -> LOG.warn("{}", warning));
    LOG.info("The settings have changed, and act from now on");
    return true;
  }

  private RefusalResponse refusals(LiveSettings live) {
    return new RefusalResponse(
        bodies,
        new RetryAfterJitter(OptionalInt.of(live.retryAfterJitterPercent()), OptionalLong.empty()),
        new OnceAMinute(clock));
  }

  @Override
  public void close() {
    injected.close();
    limiter.close();
  }
}
