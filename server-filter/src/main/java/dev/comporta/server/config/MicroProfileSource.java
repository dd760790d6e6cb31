package dev.comporta.server.config;

import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;

/*
 * How this works, and why. MicroProfile Config finds the value of a key in the environment by
 * itself. Its list of keys is less simple: environment variables are in it under their own names,
 * and some implementations add a guess at the dotted key of each (COMPORTA_PORT as comporta.port).
 * A guess is no key that someone has written, so a key counts only if it comes from a source that
 * does not hold the variable of that name as well.
 */
/** The MicroProfile Config of the server. Loaded only where its classes are. */
final class MicroProfileSource implements Source {

  private static final String UNRESOLVED =
      "must be resolvable, but an expression in it names what is not set";

  private final Config config;

  MicroProfileSource(Config config) {
    this.config = config;
  }

  /**
   * The configuration of this application.
   *
   * @throws IllegalStateException if the API is there without an implementation
   */
  static MicroProfileSource ofApplication() {
    return new MicroProfileSource(ConfigProvider.getConfig());
  }

  @Override
  public Optional<String> value(String key) {
    Optional<String> value;
    try {
      value = config.getOptionalValue(key, String.class).filter(text -> !text.isBlank());
    } catch (NoSuchElementException unresolved) {
      throw new IllegalArgumentException(UNRESOLVED, unresolved);
    }
    if (value.isEmpty() && isUnresolved(config.getConfigValue(key))) {
      throw new IllegalArgumentException(UNRESOLVED);
    }
    return value;
  }

  /** Some implementations take a value as absent when an expression in it cannot be resolved. */
  private static boolean isUnresolved(ConfigValue value) {
    String raw = value.getRawValue();
    return value.getValue() == null && raw != null && raw.contains("${");
  }

  @Override
  public Iterable<String> keys() {
    Set<String> guesses = new HashSet<>();
    Set<String> keys = new TreeSet<>();
    for (ConfigSource source : config.getConfigSources()) {
      Set<String> names = source.getPropertyNames();
      for (String name : names) {
        if (name.startsWith(PREFIX)) {
          boolean isGuess = names.contains(EnvironmentNames.of(name));
          (isGuess ? guesses : keys).add(name);
        }
      }
    }
    for (String name : config.getPropertyNames()) {
      boolean isGuess = guesses.contains(name) || isInEnvironment(name);
      if (name.startsWith(PREFIX) && !isGuess) {
        keys.add(name);
      }
    }
    return keys;
  }

  @Override
  public Iterable<String> variables() {
    Set<String> variables = new TreeSet<>();
    for (ConfigSource source : config.getConfigSources()) {
      for (String name : source.getPropertyNames()) {
        String value = name.startsWith(VARIABLE_PREFIX) ? source.getValue(name) : null;
        if (value != null && !value.isBlank()) {
          variables.add(name);
        }
      }
    }
    return variables;
  }

  private boolean isInEnvironment(String key) {
    String variable = EnvironmentNames.of(key);
    for (ConfigSource source : config.getConfigSources()) {
      if (source.getPropertyNames().contains(variable)) {
        return true;
      }
    }
    return false;
  }
}
