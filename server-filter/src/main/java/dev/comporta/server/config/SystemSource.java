package dev.comporta.server.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** System properties, then the environment, by the naming rule of MicroProfile Config. */
final class SystemSource implements Source {

  private final Map<String, String> environment;

  SystemSource() {
    this(System.getenv());
  }

  SystemSource(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Optional<String> value(String key) {
    return present(System.getProperty(key))
        .or(() -> present(environment.get(key)))
        .or(() -> present(environment.get(EnvironmentNames.plain(key))))
        .or(() -> present(environment.get(EnvironmentNames.of(key))));
  }

  @Override
  public Iterable<String> keys() {
    Set<String> keys = new TreeSet<>(System.getProperties().stringPropertyNames());
    keys.addAll(environment.keySet());
    keys.removeIf(key -> !key.startsWith(PREFIX));
    return keys;
  }

  @Override
  public Iterable<String> variables() {
    Set<String> variables = new TreeSet<>(environment.keySet());
    variables.removeIf(
        name -> !name.startsWith(VARIABLE_PREFIX) || present(environment.get(name)).isEmpty());
    return variables;
  }

  private static Optional<String> present(@Nullable String value) {
    return Optional.ofNullable(value).filter(text -> !text.isBlank());
  }
}
