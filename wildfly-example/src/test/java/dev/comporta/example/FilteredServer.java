package dev.comporta.example;

import dev.comporta.client.sim.SimulatedServer;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.http.Dialect;
import dev.comporta.server.http.RateLimitHeaders;
import dev.comporta.server.http.Refusal;
import dev.comporta.server.http.WireLimit;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.Policy;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.memory.MemoryLimitStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The server filter without a server: its store, its algorithms and its headers, in virtual time.
 */
final class FilteredServer implements SimulatedServer {

  /**
   * An instant of the year 2026, at which the virtual time begins; the client's simulation agrees.
   */
  private static final long EPOCH_MICROS = 1_796_040_000_000_000L;

  private final RateLimitHeaders headers;
  private final List<WireLimit> wire;
  private final List<KeyedLimit> limits = new ArrayList<>();
  private final MemoryLimitStore store;
  private long nowMicros;

  FilteredServer(List<LimitSpec> specs, List<Dialect> dialects) {
    Policy policy = new Policy("simulated", specs, Map.of(), true);
    this.headers = new RateLimitHeaders(dialects);
    this.wire = WireLimit.of(policy, specs);
    for (int i = 0; i < specs.size(); i++) {
      limits.add(new KeyedLimit("limit " + i, RateAlgorithm.of(specs.get(i))));
    }
    this.store = new MemoryLimitStore(10, () -> EPOCH_MICROS + nowMicros);
  }

  @Override
  public Response handle(long atMicros) {
    nowMicros = atMicros;
    Verdict verdict = store.decide(limits, 1);
    Map<String, List<String>> sent = new LinkedHashMap<>();
    headers.of(wire, verdict).forEach((name, value) -> sent.put(name, List.of(value)));
    Optional<Refusal> refusal = Refusal.of(wire, verdict);
    if (refusal.isPresent()) {
      refusal.get().headers().forEach((name, value) -> sent.put(name, List.of(value)));
      return new Response(refusal.get().status(), sent);
    }
    return new Response(200, sent);
  }
}
