package dev.comporta.server.filter;

import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.TierResolver;
import dev.comporta.server.caller.AddressCaller;
import dev.comporta.server.caller.ApiKeyCaller;
import dev.comporta.server.caller.CallerChain;
import dev.comporta.server.caller.CallerHash;
import dev.comporta.server.caller.PrincipalCaller;
import dev.comporta.server.caller.UnknownCaller;
import dev.comporta.server.config.CallerSettings;
import dev.comporta.server.config.Settings;
import dev.comporta.server.config.StoreSettings;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.memory.MemoryLimitStore;
import jakarta.ws.rs.core.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Puts a limiter together from its settings. */
final class Composition {

  private Composition() {}

  static Limiter limiter(Settings settings, PolicyCatalog catalog, MicrosClock clock) {
    return new Limiter(
        store(settings.store(), clock),
        callers(settings.callers()),
        hash(settings.callers()),
        settings.namespace(),
        catalog::sharedPolicies);
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

  private static LimitStore store(StoreSettings settings, MicrosClock clock) {
    LimitStore memory = new MemoryLimitStore(settings.maximumStates(), clock);
    return switch (settings.kind()) {
      case MEMORY -> memory;
      case REDIS -> SharedStore.open(settings, memory);
    };
  }

  /* Those of the application first: it may know a caller that looks like another to us. */
  private static CallerChain callers(CallerSettings settings) {
    List<CallerIdentifier> identifiers = new ArrayList<>();
    ServiceLoader.load(CallerIdentifier.class).forEach(identifiers::add);
    identifiers.add(new PrincipalCaller(settings.tierRoles()));
    identifiers.add(new ApiKeyCaller(settings.apiKeyHeader(), settings.apiKeys()));
    List<TierResolver> tiers = new ArrayList<>();
    ServiceLoader.load(TierResolver.class).forEach(tiers::add);
    AddressCaller address = new AddressCaller(PeerAddress::of, settings.addresses());
    return new CallerChain(identifiers, address, tiers, UnknownCaller.SHARE);
  }

  private static CallerHash hash(CallerSettings settings) {
    return settings
        .identitySecret()
        .map(secret -> CallerHash.keyed(secret.bytes()))
        .orElseGet(CallerHash::plain);
  }
}
