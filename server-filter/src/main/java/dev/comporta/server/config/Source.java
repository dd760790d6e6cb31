package dev.comporta.server.config;

import java.util.Optional;

/**
 * Where settings come from: a few lines over whatever configuration the server has. Thread-safe.
 */
public interface Source {

  /** What the keys of all settings begin with. */
  String PREFIX = "comporta.";

  /** What the environment variables of all settings begin with. */
  String VARIABLE_PREFIX = "COMPORTA_";

  /**
   * The value of a key, whether it is set by that key or by an environment variable of that name in
   * capitals ({@code COMPORTA_STORE} for {@code comporta.store}). What is blank is absent.
   *
   * @throws IllegalArgumentException if the source cannot tell, for example because an expression
   *     in the value names a key that does not exist
   */
  Optional<String> value(String key);

  /**
   * The keys under {@code comporta.} that someone has written with their dots. Environment
   * variables are not among them: {@code COMPORTA_PORT} may come from Kubernetes, and nobody knows
   * where its dots would be.
   */
  Iterable<String> keys();

  /**
   * The environment variables that begin with {@code COMPORTA_} and are not blank, under their own
   * names.
   */
  Iterable<String> variables();

  /** MicroProfile Config where the server has it, else system properties and environment. */
  static Source ofServer() {
    return Sources.ofServer();
  }
}
