package dev.comporta.server.config;

import dev.comporta.server.caller.AddressRules;
import dev.comporta.server.caller.AddressRules.ForwardingHeader;
import dev.comporta.server.caller.ApiKey;
import dev.comporta.server.caller.TrustedProxies;
import dev.comporta.server.policy.PolicyNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads who is limited. */
final class CallerReader {

  private static final String DEFAULT_API_KEY_HEADER = "X-API-Key";

  /** A field name of RFC 9110, 5.1. */
  private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");

  /** With fewer the secret can be found by trying. */
  private static final int MIN_SECRET = 16;

  private final Values values;

  CallerReader(Values values) {
    this.values = values;
  }

  CallerSettings read(Set<String> apiKeyNames, Set<String> tierNames) {
    return new CallerSettings(
        addresses(),
        values
            .parsed(SettingKey.API_KEY_HEADER.key(), CallerReader::headerName)
            .orElse(DEFAULT_API_KEY_HEADER),
        apiKeys(apiKeyNames),
        tierRoles(tierNames),
        values.parsed(SettingKey.IDENTITY_SECRET.key(), CallerReader::secret));
  }

  private AddressRules addresses() {
    List<String> networks =
        values.parsedList(SettingKey.TRUSTED_PROXIES.key(), CallerReader::network);
    ForwardingHeader header =
        values
            .parsed(SettingKey.FORWARDING_HEADER.key(), Values.oneOf(ForwardingHeader.class))
            .orElse(ForwardingHeader.ANY);
    int prefix =
        values.number(
            SettingKey.IPV6_PREFIX,
            AddressRules.DEFAULT_IPV6_PREFIX,
            AddressRules.MIN_IPV6_PREFIX,
            AddressRules.MAX_IPV6_PREFIX);
    return new AddressRules(TrustedProxies.of(networks), header, prefix);
  }

  private List<ApiKey> apiKeys(Set<String> names) {
    List<ApiKey> keys = new ArrayList<>();
    Map<String, String> nameByHash = new HashMap<>();
    for (String name : new TreeSet<>(names)) {
      String hashKey = SettingKey.API_KEY_SHA256.key(name);
      if (values.text(hashKey).isEmpty()) {
        values.fault(hashKey, "must be set, since other settings name the API key '" + name + "'");
        continue;
      }
      Optional<String> tier =
          values.parsed(SettingKey.API_KEY_TIER.key(name), CallerReader::tierName);
      Optional<ApiKey> key = values.parsed(hashKey, hash -> new ApiKey(name, hash, tier));
      if (key.isEmpty()) {
        continue;
      }
      String other = nameByHash.putIfAbsent(key.get().sha256(), name);
      if (other != null) {
        values.fault(hashKey, "must differ from that of the API key '" + other + "', was the same");
      }
      keys.add(key.get());
    }
    return keys;
  }

  private Map<String, Set<String>> tierRoles(Set<String> tierNames) {
    Map<String, Set<String>> roles = new TreeMap<>();
    for (String tier : tierNames) {
      List<String> ofTier = values.list(SettingKey.TIER_ROLES.key(tier));
      if (!ofTier.isEmpty()) {
        roles.put(tier, Set.copyOf(ofTier));
      }
    }
    return roles;
  }

  /** Checks one network; they are put together once all are known. */
  private static String network(String text) {
    TrustedProxies.of(List.of(text));
    return text;
  }

  private static String headerName(String text) {
    if (!HEADER_NAME.matcher(text).matches()) {
      throw new IllegalArgumentException("must be the name of a header, was '" + text + "'");
    }
    return text;
  }

  private static String tierName(String text) {
    if (!PolicyNames.isValid(text)) {
      throw new IllegalArgumentException(PolicyNames.RULE + ", was '" + text + "'");
    }
    return text;
  }

  private static Secret secret(String text) {
    if (text.length() < MIN_SECRET) {
      throw new IllegalArgumentException(
          "must have at least " + MIN_SECRET + " characters, had " + text.length());
    }
    return new Secret(text);
  }
}
