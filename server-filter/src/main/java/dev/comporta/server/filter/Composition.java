package dev.comporta.server.filter;

import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.api.TierResolver;
import dev.comporta.server.caller.AddressCaller;
import dev.comporta.server.caller.ApiKeyCaller;
import dev.comporta.server.caller.CallerChain;
import dev.comporta.server.caller.CallerHash;
import dev.comporta.server.caller.CallerList;
import dev.comporta.server.caller.PrincipalCaller;
import dev.comporta.server.cdi.Beans;
import dev.comporta.server.config.AccessSettings;
import dev.comporta.server.config.CallerSettings;
import dev.comporta.server.config.LiveSettings;
import dev.comporta.server.config.Settings;
import dev.comporta.server.config.StoreSettings;
import dev.comporta.server.limiter.ApplicationObjects;
import dev.comporta.server.limiter.CallerKeys;
import dev.comporta.server.limiter.Limiter;
import dev.comporta.server.limiter.Rules;
import dev.comporta.server.observe.Observers;
import dev.comporta.server.policy.LeaseCheck;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyCheck;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.NodeChanges;
import dev.comporta.server.store.OnceAMinute;
import dev.comporta.server.store.memory.MemoryLimitStore;
import jakarta.ws.rs.core.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Puts a limiter together from its settings. */
final class Composition {

  private final Settings settings;
  private final PolicyCatalog catalog;
  private final Configuration configuration;
  private final MicrosClock clock;

  /** Of that application, as it is configured for Jakarta REST. */
  Composition(Settings settings, PolicyCatalog catalog, Configuration configuration) {
    this.settings = settings;
    this.catalog = catalog;
    this.configuration = configuration;
    this.clock = clock(configuration);
  }

  /** The clock of the machine, unless the application is being tested with another one. */
  static MicrosClock clock(Configuration configuration) {
    return configuration.getProperty(RateLimitFeature.CLOCK) instanceof MicrosClock clock
        ? clock
        : MicrosClock.system();
  }

  /** What would keep a limiter from being put together. */
  static List<PolicyFault> faults(StoreSettings settings) {
    return switch (settings.kind()) {
      case MEMORY -> List.of();
      case REDIS -> SharedStore.faults(settings);
    };
  }

  /** What policies must keep to, so that the store can count by them. */
  static PolicyCheck policyCheck(StoreSettings settings) {
    return switch (settings.kind()) {
      case MEMORY -> new LeaseCheck();
      case REDIS -> SharedStore.policyCheck(settings);
    };
  }

  /** What holds for every policy by those settings. */
  static Rules rules(LiveSettings live) {
    AccessSettings access = live.access();
    return new Rules(
        CallerList.of(access.allow()),
        CallerList.of(access.block()),
        access.unknown(),
        live.nearLimitPercent());
  }

  Limiter limiter() {
    MemoryLimitStore memory = new MemoryLimitStore(settings.store().maximumStates(), clock);
    LimitStore store = store(memory);
    CallerKeys keys = new CallerKeys(settings.namespace(), hash(settings.callers()));
    return new Limiter(
        new Limiter.Parts(
            store,
            catalog,
            new Once<>(this::callers),
            keys,
            new ApplicationObjects(Beans::of),
            Observers.open(new Status(settings.namespace(), store, memory), listeners(), clock),
            clock,
            store.changes(keys.changes()).orElseGet(() -> new NodeChanges(clock)),
            settings.store().changesPeriod(),
            new OnceAMinute(clock)),
        rules(settings.live()));
  }

  private LimitStore store(MemoryLimitStore memory) {
    if (configuration.getProperty(RateLimitFeature.STORE) instanceof LimitStore given) {
      return given;
    }
    return switch (settings.store().kind()) {
      case MEMORY -> memory;
      case REDIS -> SharedStore.open(settings.store(), memory);
    };
  }

  private List<RateLimitListener> listeners() {
    return configuration.getProperty(RateLimitFeature.LISTENER) instanceof RateLimitListener given
        ? List.of(given)
        : List.of();
  }

  /*
   * Those of the application first: it may know a caller that looks like another to us. But a class
   * by which a limit is keyed serves that limit alone, also if it is a bean.
   */
  private CallerChain callers() {
    Set<Class<?>> forSingleLimits = catalog.namedClasses();
    List<CallerIdentifier> identifiers = new ArrayList<>();
    Beans.allAndServices(CallerIdentifier.class).stream()
        .filter(found -> forSingleLimits.stream().noneMatch(type -> type.isInstance(found)))
        .forEach(identifiers::add);
    CallerSettings known = settings.callers();
    identifiers.add(new PrincipalCaller(known.tierRoles()));
    identifiers.add(new ApiKeyCaller(known.apiKeyHeader(), known.apiKeys()));
    return new CallerChain(
        identifiers,
        new AddressCaller(PeerAddress::of, known.addresses()),
        Beans.allAndServices(TierResolver.class),
        settings.live().access().unknown());
  }

  private static CallerHash hash(CallerSettings settings) {
    return settings
        .identitySecret()
        .map(secret -> CallerHash.keyed(secret.bytes()))
        .orElseGet(CallerHash::plain);
  }
}
