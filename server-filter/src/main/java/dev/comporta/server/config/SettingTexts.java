package dev.comporta.server.config;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What someone has written for each setting, unparsed, to see whether it has changed. */
final class SettingTexts {

  /** Stands for a value that its source cannot tell; reading it says why. */
  private static final String UNRESOLVED = "${}";

  private SettingTexts() {}

  /** The texts of all dotted keys and variables. */
  static Map<String, String> of(Source source) {
    Map<String, String> texts = new TreeMap<>();
    source.keys().forEach(key -> texts.put(key, text(source, key)));
    source.variables().forEach(name -> texts.put(name, text(source, name)));
    return texts;
  }

  /** The names under which the two differ. */
  static Set<String> differing(Map<String, String> some, Map<String, String> others) {
    Set<String> names = new TreeSet<>(some.keySet());
    names.addAll(others.keySet());
    names.removeIf(name -> !isDifferent(name, some, others));
    return names;
  }

  /** Whether the two differ under that name. */
  static boolean isDifferent(String name, Map<String, String> some, Map<String, String> others) {
    return !Objects.equals(some.get(name), others.get(name));
  }

  private static String text(Source source, String key) {
    try {
      return source.value(key).orElse("");
    } catch (IllegalArgumentException unresolved) {
      return UNRESOLVED;
    }
  }
}
