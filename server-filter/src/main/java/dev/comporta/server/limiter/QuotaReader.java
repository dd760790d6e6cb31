package dev.comporta.server.limiter;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.api.Quota;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.StoreException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads where a caller stands, and spends nothing. Thread-safe. */
final class QuotaReader {

  private final LimitStore store;
  private final PolicyTiers tiers;

  QuotaReader(LimitStore store, PolicyTiers tiers) {
    this.store = store;
    this.tiers = tiers;
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

  /**
   * The quotas under those of these policies that are not off; none if the store cannot be read.
   *
   * @param tier the tier of the caller under a policy
   * @param keyStart what the key of a limit begins with; nothing if it does not count this caller
   *     alone
   */
  List<Quota> read(
      List<Policy> policies,
      Function<Policy, Optional<String>> tier,
      Function<LimitSpec, Optional<String>> keyStart) {
    List<Asked> asked = new ArrayList<>();
    for (Policy policy : policies) {
      if (policy.mode() == Mode.OFF) {
        continue; // nothing is counted under it
      }
      CountedLimits limits =
          tiers
              .limits(policy, tier.apply(policy))
              .enforced()
              .only(limit -> keyStart.apply(limit).isPresent());
      List<KeyedLimit> keyed = limits.keyed(limit -> keyStart.apply(limit).orElseThrow());
      for (int i = 0; i < keyed.size(); i++) {
        asked.add(
            new Asked(
                policy.name(), limits.wire().get(i).name(), limits.specs().get(i), keyed.get(i)));
      }
    }
    return asked.isEmpty() ? List.of() : peek(asked);
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
}
