package dev.comporta.example;

import dev.comporta.client.sim.SimulatedServer;
import dev.comporta.client.sim.Simulation;
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
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The server filter without a server: its store, its algorithms and its headers, in virtual time.
 */
final class FilteredServer implements SimulatedServer {

  private final RateLimitHeaders headers;
  private final NavigableMap<Long, Told> told = new TreeMap<>();
  private final MemoryLimitStore store;
  private long nowMicros;

  /** Limits as they are counted and told from some instant on. */
  private record Told(List<WireLimit> wire, List<KeyedLimit> limits) {

    static Told of(List<LimitSpec> specs) {
      List<KeyedLimit> limits = new ArrayList<>();
      for (int i = 0; i < specs.size(); i++) {
        limits.add(new KeyedLimit("limit " + i, RateAlgorithm.of(specs.get(i))));
      }
      Policy policy = new Policy("simulated", specs, Map.of(), true);
      return new Told(WireLimit.of(policy, specs), limits);
    }
  }

  FilteredServer(List<LimitSpec> specs, List<Dialect> dialects) {
    this(specs, dialects, 0);
  }

  /** A server whose windows begin that much earlier. */
  FilteredServer(List<LimitSpec> specs, List<Dialect> dialects, long phaseMicros) {
    this.headers = new RateLimitHeaders(dialects);
    this.told.put(0L, Told.of(specs));
    this.store = new MemoryLimitStore(10, () -> Simulation.EPOCH_MICROS + phaseMicros + nowMicros);
  }

  /** Has other limits from that instant on. */
  FilteredServer from(long atMicros, List<LimitSpec> specs) {
    told.put(atMicros, Told.of(specs));
    return this;
  }

  @Override
  public Response handle(long atMicros) {
    nowMicros = atMicros;
    Told now = told.floorEntry(atMicros).getValue();
    Verdict verdict = store.decide(now.limits(), 1);
    Map<String, List<String>> sent = new LinkedHashMap<>();
    headers.of(now.wire(), verdict).forEach((name, value) -> sent.put(name, List.of(value)));
    Optional<Refusal> refusal = Refusal.of(now.wire(), verdict);
    if (refusal.isPresent()) {
      refusal.get().headers().forEach((name, value) -> sent.put(name, List.of(value)));
      return new Response(refusal.get().status(), sent);
    }
    return new Response(200, sent);
  }
}
