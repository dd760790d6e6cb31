package dev.comporta.server.filter;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.Quota;
import dev.comporta.server.caller.CallerChain;
import dev.comporta.server.caller.CallerHash;
import dev.comporta.server.caller.RequestCallers;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.policy.PolicyBinding;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.StoreException;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Decides the requests to one application. Thread-safe. */
final class Limiter implements AutoCloseable {

  /** Changes when a state under a key changes its meaning. */
  private static final String KEY_VERSION = ":1:";

  private final LimitStore store;
  private final CallerChain callers;
  private final CallerHash hash;
  private final String namespace;
  private final Supplier<List<Policy>> sharedPolicies;
  private final Map<Tier, CountedLimits> counted = new ConcurrentHashMap<>();

  private record Tier(String policy, List<LimitSpec> limits) {}

  /**
   * A limiter that owns this store.
   *
   * @param namespace what every key begins with
   * @param sharedPolicies those that a caller can ask its quotas under, sorted by name
   */
  Limiter(
      LimitStore store,
      CallerChain callers,
      CallerHash hash,
      String namespace,
      Supplier<List<Policy>> sharedPolicies) {
    this.store = store;
    this.callers = callers;
    this.hash = hash;
    this.namespace = namespace;
    this.sharedPolicies = sharedPolicies;
  }

  /** Decides, and charges if every limit passes. */
  Admission decide(ContainerRequestContext request, PolicyBinding binding) {
    Callers known = new Callers(request);
    Policy policy = binding.policy();
    CountedLimits limits = counted(policy, known.limitsOf(policy));
    return new Admission(limits.wire(), store.decide(limits.keyed(known::key), binding.cost()));
  }

  /** Where the caller of this request stands under each shared policy. Charges nothing. */
  List<Quota> quotas(ContainerRequestContext request) {
    Callers known = new Callers(request);
    List<Asked> asked = new ArrayList<>();
    for (Policy policy : sharedPolicies.get()) {
      CountedLimits limits = counted(policy, known.limitsOf(policy));
      List<KeyedLimit> keyed = limits.keyed(known::key);
      for (int i = 0; i < keyed.size(); i++) {
        LimitSpec spec = limits.specs().get(i);
        if (spec.by() != By.EVERYONE) {
          asked.add(new Asked(policy.name(), limits.wire().get(i).name(), spec, keyed.get(i)));
        }
      }
    }
    return asked.isEmpty() ? List.of() : peek(asked);
  }

  @Override
  public void close() {
    store.close();
  }

  private record Asked(String policy, String name, LimitSpec spec, KeyedLimit keyed) {

    Quota quota(Standing standing, long nowMicros) {
      return new Quota(
          policy,
          name,
          standing.limit(),
          standing.remaining(),
          spec.window(),
          Instant.EPOCH.plus(nowMicros + standing.resetAfterMicros(), ChronoUnit.MICROS));
    }
  }

  private List<Quota> peek(List<Asked> asked) {
    LimitStore.Standings standings;
    try {
      standings = store.peek(asked.stream().map(Asked::keyed).toList());
    } catch (StoreException unreadable) {
      return List.of();
    }
    List<Quota> quotas = new ArrayList<>(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      quotas.add(asked.get(i).quota(standings.standings().get(i), standings.nowMicros()));
    }
    return List.copyOf(quotas);
  }

  private CountedLimits counted(Policy policy, List<LimitSpec> limits) {
    return counted.computeIfAbsent(
        new Tier(policy.name(), limits), tier -> CountedLimits.of(policy, limits));
  }

  /** Who sent one request; each kind is asked once, and only when a limit needs it. */
  private final class Callers {

    private final RequestCallers known;
    private final Map<By, String> keys = new EnumMap<>(By.class);

    Callers(ContainerRequestContext request) {
      this.known = callers.of(request);
    }

    List<LimitSpec> limitsOf(Policy policy) {
      return policy.tiers().isEmpty() ? policy.limits() : policy.limitsOf(known.tier());
    }

    /* The braces make all limits of one caller share a slot of a Redis cluster. */
    String key(By by) {
      return keys.computeIfAbsent(
          by,
          some ->
              namespace
                  + KEY_VERSION
                  + "{"
                  + (some == By.EVERYONE ? "everyone" : hash.hash(caller(some)))
                  + "}");
    }

    private Caller caller(By by) {
      return known.caller(by).orElseThrow();
    }
  }
}
