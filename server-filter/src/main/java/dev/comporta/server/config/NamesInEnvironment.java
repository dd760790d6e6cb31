package dev.comporta.server.config;

import dev.comporta.server.policy.PolicyNames;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/*
 * How this works, and why. COMPORTA_API_KEYS_PARTNER_SHA256 alone must give an API key, though
 * nobody has written its name with dots. The name is what stands in the place of <name>, in small
 * letters; comporta.api-keys.partner.sha256 then finds the variable. But COMPORTA_API_KEYS_MY_KEY_SHA256
 * may be the value of comporta.api-keys.my-key.sha256, whose name is known: a known name that is
 * written so in capitals owns the variable. Policies need none of this: annotations tell their names.
 */
/** The names of API keys and tiers that environment variables alone tell. */
final class NamesInEnvironment {

  private static final Pattern API_KEY = Pattern.compile("COMPORTA_API_KEYS_([A-Z0-9_]+)_SHA256");

  private static final Pattern TIER =
      Pattern.compile(
          "COMPORTA_(?:TIERS_([A-Z0-9_]+)_ROLES"
              + "|POLICIES_[A-Z0-9_]+?_TIERS_([A-Z0-9_]+)_LIMITS)");

  private final Source source;

  NamesInEnvironment(Source source) {
    this.source = source;
  }

  /** These names, and those of API keys that only variables tell. */
  Set<String> andApiKeys(Set<String> known) {
    return with(known, API_KEY);
  }

  /** These names, and those of tiers that only variables tell. */
  Set<String> andTiers(Set<String> known) {
    return with(known, TIER);
  }

  private Set<String> with(Set<String> known, Pattern pattern) {
    Set<String> owned = known.stream().map(EnvironmentNames::of).collect(Collectors.toSet());
    Set<String> names = new TreeSet<>(known);
    for (String variable : source.variables()) {
      Matcher matcher = pattern.matcher(variable);
      if (matcher.matches()) {
        String part = first(matcher);
        String name = part.toLowerCase(Locale.ROOT);
        if (!owned.contains(part) && PolicyNames.isValid(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static String first(Matcher matcher) {
    String first = matcher.group(1);
    return first != null ? first : matcher.group(matcher.groupCount());
  }
}
