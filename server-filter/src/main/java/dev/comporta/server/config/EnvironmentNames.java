package dev.comporta.server.config;

import java.util.Locale;

/** The names that MicroProfile Config looks for in the environment. */
final class EnvironmentNames {

  private EnvironmentNames() {}

  /** Every sign but letters, digits and {@code _} becomes {@code _}. */
  static String plain(String key) {
    return key.replaceAll("[^A-Za-z0-9_]", "_");
  }

  /** The same in capitals: {@code COMPORTA_STORE}. */
  static String of(String key) {
    return plain(key).toUpperCase(Locale.ROOT);
  }
}
