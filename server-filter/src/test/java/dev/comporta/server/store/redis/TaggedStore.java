package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.Verdict;
import java.util.List;

/**
 * Gives the keys of the contract hash tags, as a limiter does: a key and its former ones share a
 * slot, others do not.
 */
record TaggedStore(LimitStore store) implements LimitStore {

  @Override
  public Verdict decide(List<KeyedLimit> limits, long cost) {
    return store.decide(tagged(limits), cost);
  }

  @Override
  public Standings peek(List<KeyedLimit> limits) {
    return store.peek(tagged(limits));
  }

  @Override
  public Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    return store.settle(tagged(limits), permits, chargedAtMicros);
  }

  @Override
  public Standings grant(List<KeyedLimit> limits, long permits) {
    return store.grant(tagged(limits), permits);
  }

  @Override
  public void reset(List<KeyedLimit> limits) {
    store.reset(tagged(limits));
  }

  @Override
  public void close() {
    store.close();
  }

  private static List<KeyedLimit> tagged(List<KeyedLimit> limits) {
    return limits.stream()
        .map(
            limit ->
                new KeyedLimit(
                    tagged(limit.key()),
                    limit.limit(),
                    limit.formerKeys().stream().map(TaggedStore::tagged).toList()))
        .toList();
  }

  private static String tagged(String key) {
    return "{"
        + (key.matches("(former|moved|newe|older).*") ? "m" : key.replaceAll("[0-9]", ""))
        + "}"
        + key;
  }
}
