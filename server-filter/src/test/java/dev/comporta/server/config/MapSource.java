package dev.comporta.server.config;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Settings of a test: those with dots in one map, those of the environment in another. */
final class MapSource implements Source {

  private final Map<String, String> dotted;
  private final Map<String, String> environment;

  private MapSource(Map<String, String> dotted, Map<String, String> environment) {
    this.dotted = new TreeMap<>(dotted);
    this.environment = new TreeMap<>(environment);
  }

  static MapSource of(String... keysAndValues) {
    return new MapSource(pairs(keysAndValues), Map.of());
  }

  MapSource withEnvironment(String... namesAndValues) {
    return new MapSource(dotted, pairs(namesAndValues));
  }

  @Override
  public Optional<String> value(String key) {
    return Optional.ofNullable(dotted.get(key))
        .or(() -> Optional.ofNullable(environment.get(EnvironmentNames.of(key))));
  }

  @Override
  public Iterable<String> keys() {
    return dotted.keySet();
  }

  @Override
  public Iterable<String> variables() {
    return environment.keySet();
  }

  private static Map<String, String> pairs(String... keysAndValues) {
    Map<String, String> pairs = new TreeMap<>();
    for (int at = 0; at < keysAndValues.length; at += 2) {
      pairs.put(keysAndValues[at], keysAndValues[at + 1]);
    }
    return pairs;
  }
}
