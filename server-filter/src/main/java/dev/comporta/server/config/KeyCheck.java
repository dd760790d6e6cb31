package dev.comporta.server.config;

import dev.comporta.server.policy.NearestName;
import dev.comporta.server.policy.PolicyNames;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The dotted keys that someone has written: which names they tell, and which mean nothing. */
final class KeyCheck {

  private final Set<String> keys = new TreeSet<>();

  KeyCheck(Iterable<String> keys) {
    for (String key : keys) {
      if (key.startsWith(Source.PREFIX)) {
        this.keys.add(key);
      }
    }
  }

  /** Reports every key that is no setting, with the setting that is nearest to it. */
  void reportUnknown(Values values) {
    for (String key : keys) {
      Optional<List<String>> names = names(key);
      if (names.isEmpty()) {
        values.fault(key, "no such setting" + nearest(key));
      }
      for (String name : names.orElse(List.of())) {
        if (!PolicyNames.isValid(name)) {
          values.fault(key, PolicyNames.RULE + ", was '" + name + "'");
        }
      }
    }
  }

  /** The valid names at that position of keys of these settings. */
  Set<String> namesIn(int position, SettingKey... settings) {
    Set<String> found = new LinkedHashSet<>();
    for (String key : keys) {
      for (SettingKey setting : settings) {
        setting
            .names(key)
            .map(names -> names.get(position))
            .filter(PolicyNames::isValid)
            .ifPresent(found::add);
      }
    }
    return found;
  }

  private static Optional<List<String>> names(String key) {
    return Arrays.stream(SettingKey.values())
        .flatMap(setting -> setting.names(key).stream())
        .findFirst();
  }

  private static String nearest(String key) {
    List<String> known =
        Arrays.stream(SettingKey.values()).map(setting -> setting.likeness(key)).toList();
    return NearestName.of(key, known, Math.max(3, key.length() / 4))
        .map(name -> "; nearest: " + name)
        .orElse("");
  }
}
