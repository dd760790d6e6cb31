package dev.comporta.server.config;

import dev.comporta.server.caller.ApiKey;
import dev.comporta.server.caller.ClientAddress;
import dev.comporta.server.caller.TrustedProxies;
import dev.comporta.server.policy.PolicyFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What is odd about settings that are valid one by one. */
final class SettingsAdvice {

  private static final List<String> FAR_APART =
      List.of("0.0.0.1", "255.255.255.254", "::1", "ffff::1");

  private final Settings settings;
  private final List<PolicyFault> advice = new ArrayList<>();

  private SettingsAdvice(Settings settings) {
    this.settings = settings;
  }

  static List<PolicyFault> on(Settings settings) {
    SettingsAdvice reading = new SettingsAdvice(settings);
    reading.onStore();
    reading.onProxies();
    reading.onTiers();
    return List.copyOf(reading.advice);
  }

  private void onStore() {
    StoreSettings store = settings.store();
    boolean isRedis = store.kind() == StoreSettings.Kind.REDIS;
    if (!isRedis && store.redis().isPresent()) {
      advice.add(
          new PolicyFault(
              SettingKey.STORE.key(), "Redis is configured and not used, was 'memory'"));
    }
    if (!isRedis) {
      settings.policies().byName().entrySet().stream()
          .filter(policy -> policy.getValue().conduct().lease().isPresent())
          .map(policy -> SettingKey.POLICY_LEASE.key(policy.getKey()))
          .sorted()
          .forEach(
              key ->
                  advice.add(
                      new PolicyFault(
                          key, "does nothing without comporta.store=redis, was 'memory'")));
    }
    if (isRedis && settings.callers().identitySecret().isEmpty()) {
      advice.add(
          new PolicyFault(
              SettingKey.IDENTITY_SECRET.key(),
              "without it, whoever reads Redis can find the addresses of callers by trying"));
    }
  }

  private void onProxies() {
    TrustedProxies proxies = settings.callers().addresses().trustedProxies();
    boolean trustsOneFamily =
        trustsAll(proxies, FAR_APART.subList(0, 2)) || trustsAll(proxies, FAR_APART.subList(2, 4));
    if (trustsOneFamily) {
      advice.add(
          new PolicyFault(
              SettingKey.TRUSTED_PROXIES.key(),
              "every address is trusted, so that any client can forge its own"));
    }
  }

  private static boolean trustsAll(TrustedProxies proxies, List<String> addresses) {
    return addresses.stream()
        .flatMap(text -> ClientAddress.parse(text).stream())
        .allMatch(proxies::isTrusted);
  }

  private void onTiers() {
    CallerSettings callers = settings.callers();
    Set<String> given = new TreeSet<>(callers.tierRoles().keySet());
    callers.apiKeys().stream().flatMap(key -> key.tier().stream()).forEach(given::add);
    Set<String> limited = new TreeSet<>();
    settings
        .policies()
        .byName()
        .values()
        .forEach(policy -> limited.addAll(policy.tiers().keySet()));
    for (ApiKey key : callers.apiKeys()) {
      if (key.tier().isPresent() && !limited.contains(key.tier().get())) {
        advice.add(
            new PolicyFault(
                SettingKey.API_KEY_TIER.key(key.name()),
                "no policy has limits for the tier '" + key.tier().get() + "'"));
      }
    }
    settings
        .policies()
        .byName()
        .forEach((name, policy) -> onTiersOf(name, policy.tiers().keySet(), given));
  }

  private void onTiersOf(String policy, Set<String> tiers, Set<String> given) {
    Stream<String> unknown = tiers.stream().filter(tier -> !given.contains(tier)).sorted();
    unknown.forEach(
        tier ->
            advice.add(
                new PolicyFault(
                    SettingKey.POLICY_TIER_LIMITS.key(policy, tier),
                    "no role and no API key puts a caller into the tier '"
                        + tier
                        + "', only a CallerIdentifier could")));
  }
}
