package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Charge;
import dev.comporta.server.caller.AddressRules;
import dev.comporta.server.caller.ClientAddress;
import dev.comporta.server.caller.UnknownCaller;
import dev.comporta.server.config.Settings.Priorities;
import dev.comporta.server.config.SettingsReader.Reading;
import dev.comporta.server.config.StoreSettings.Engine;
import dev.comporta.server.config.StoreSettings.Kind;
import dev.comporta.server.http.Dialect;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.ConfiguredPolicies.Conduct;
import dev.comporta.server.policy.ConfiguredPolicies.ConfiguredPolicy;
import dev.comporta.server.policy.ConfiguredPolicies.Counting;
import dev.comporta.server.policy.ExemptPaths;
import dev.comporta.server.policy.LimitText;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.store.OnStoreFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {

  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final String OTHER_HASH = "fedcba9876543210".repeat(4);

  @Test
  void takesPrioritiesUpToTheEndsOfTheirRange() {
    assertThat(
            settings(
                    "comporta.priority.before-authentication", "-1000000",
                    "comporta.priority.after-authentication", "1000000")
                .priorities())
        .isEqualTo(new Priorities(-1_000_000, 1_000_000));
  }

  @Test
  void hasDefaultsForEverything() {
    Settings settings = settings();

    assertThat(settings.namespace()).isEqualTo("library");
    assertThat(settings.store())
        .isEqualTo(
            new StoreSettings(
                Kind.MEMORY,
                Optional.empty(),
                Engine.SCRIPT,
                new StoreSettings.Refusals(Duration.ofSeconds(10), Duration.ZERO),
                Duration.ofSeconds(1),
                Duration.ofMillis(50),
                OnStoreFailure.LOCAL,
                100,
                100_000));
    assertThat(settings.headers()).containsExactlyInAnyOrder(Dialect.LEGACY, Dialect.IETF);
    assertThat(settings.callers().apiKeyHeader()).isEqualTo("X-API-Key");
    assertThat(settings.callers().apiKeys()).isEmpty();
    assertThat(settings.callers().addresses().ipv6Prefix()).isEqualTo(64);
    assertThat(settings.callers().addresses().trustedProxies().isEmpty()).isTrue();
    assertThat(settings.callers().identitySecret()).isEmpty();
    assertThat(settings.priorities()).isEqualTo(new Priorities(900, 2100));
    assertThat(settings.live())
        .isEqualTo(
            new LiveSettings(
                ConfiguredPolicies.NONE,
                new AccessSettings(List.of(), List.of(), UnknownCaller.DENY),
                80,
                0,
                Optional.of(Duration.ofSeconds(30))));
  }

  @Test
  void readsTheStore() {
    StoreSettings store =
        settings(
                "comporta.store", "redis",
                "comporta.redis.address", "redis://:hush@db.example:6379",
                "comporta.redis.engine", "rate-limiter",
                "comporta.redis.refusal-cache", "0",
                "comporta.redis.refusal-cache-refundable", "500ms",
                "comporta.redis.changes-period", "250ms",
                "comporta.store-budget", "1s",
                "comporta.on-store-failure", "deny",
                "comporta.local-share-percent", "25",
                "comporta.memory.maximum-states", "7")
            .store();

    assertThat(store)
        .isEqualTo(
            new StoreSettings(
                Kind.REDIS,
                Optional.of(new StoreSettings.RedisAddress("redis://:hush@db.example:6379")),
                Engine.RATE_LIMITER,
                new StoreSettings.Refusals(Duration.ZERO, Duration.ofMillis(500)),
                Duration.ofMillis(250),
                Duration.ofSeconds(1),
                OnStoreFailure.DENY,
                25,
                7));
    assertThat(store.toString()).doesNotContain("hush").contains("db.example");
  }

  @Test
  void readsCallers() {
    CallerSettings callers =
        settings(
                "comporta.trusted-proxies", " 10.0.0.0/8 , ,2001:db8::/32,",
                "comporta.forwarding-header", "x-forwarded-for",
                "comporta.ipv6-prefix", "56",
                "comporta.api-keys.header", "X-Token",
                "comporta.api-keys.mobile.sha256", HASH,
                "comporta.api-keys.mobile.tier", "premium",
                "comporta.tiers.premium.roles", "gold, partner",
                "comporta.identity.secret", "0123456789abcdef")
            .callers();

    AddressRules addresses = callers.addresses();
    assertThat(addresses.trustedProxies().isTrusted(ClientAddress.parse("10.1.1.1").orElseThrow()))
        .isTrue();
    assertThat(addresses.forwardingHeader())
        .isEqualTo(AddressRules.ForwardingHeader.X_FORWARDED_FOR);
    assertThat(addresses.ipv6Prefix()).isEqualTo(56);
    assertThat(callers.apiKeyHeader()).isEqualTo("X-Token");
    assertThat(callers.apiKeys())
        .singleElement()
        .satisfies(
            key -> {
              assertThat(key.name()).isEqualTo("mobile");
              assertThat(key.sha256()).isEqualTo(HASH);
              assertThat(key.tier()).contains("premium");
            });
    assertThat(callers.tierRoles()).isEqualTo(Map.of("premium", Set.of("gold", "partner")));
    assertThat(callers.identitySecret()).contains(new Secret("0123456789abcdef"));
    assertThat(callers.toString()).contains("***").doesNotContain("0123456789abcdef");
  }

  @Test
  void readsPolicies() {
    ConfiguredPolicies policies =
        settings(
                "comporta.default.limits", "60/1m",
                "comporta.policies.search.limits", "10/1s, 1000/1h",
                "comporta.policies.search.algorithm", "sliding-window-counter",
                "comporta.policies.search.by", "address",
                "comporta.policies.search.mode", "shadow",
                "comporta.policies.search.charge", "failures",
                "comporta.policies.search.lease", "10",
                "comporta.policies.search.tiers.premium.limits", "100/1s",
                "comporta.policies.report.by", "everyone")
            .policies();

    assertThat(policies.defaultLimits())
        .containsExactly(new LimitText("comporta.default.limits", "60/1m"));
    assertThat(policies.byName())
        .isEqualTo(
            Map.of(
                "search",
                new ConfiguredPolicy(
                    "comporta.policies.search.limits",
                    List.of(
                        new LimitText("comporta.policies.search.limits", "10/1s"),
                        new LimitText("comporta.policies.search.limits", "1000/1h")),
                    Map.of(
                        "premium",
                        List.of(
                            new LimitText(
                                "comporta.policies.search.tiers.premium.limits", "100/1s"))),
                    new Counting(
                        Optional.of(Algorithm.SLIDING_WINDOW_COUNTER), Optional.of(By.ADDRESS)),
                    new Conduct(
                        Optional.of(Mode.SHADOW), Optional.of(Charge.FAILURES), Optional.of(10))),
                "report",
                new ConfiguredPolicy(
                    "comporta.policies.report.by",
                    List.of(),
                    Map.of(),
                    new Counting(Optional.empty(), Optional.of(By.EVERYONE)),
                    Conduct.AS_ANNOTATED)));
  }

  @Test
  void readsTheRest() {
    Settings settings =
        settings(
            "comporta.mode", "shadow",
            "comporta.exempt-paths", "/internal/*, /books/{id}",
            "comporta.allow", "192.0.2.0/24, principal:alice",
            "comporta.block", "198.51.100.7",
            "comporta.unknown-caller", "allow",
            "comporta.near-limit-percent", "100",
            "comporta.retry-after.jitter-percent", "100",
            "comporta.reload-every", "1d",
            "comporta.time-zone", "Europe/Lisbon");

    assertThat(settings.live().access())
        .isEqualTo(
            new AccessSettings(
                List.of("192.0.2.0/24", "principal:alice"),
                List.of("198.51.100.7"),
                UnknownCaller.ALLOW));
    assertThat(settings.live().nearLimitPercent()).isEqualTo(100);
    assertThat(settings.live().retryAfterJitterPercent()).isEqualTo(100);
    assertThat(settings.live().reloadEvery()).contains(Duration.ofDays(1));
    assertThat(settings.policies().mode()).isEqualTo(Mode.SHADOW);
    assertThat(settings.policies().zone()).isEqualTo(java.time.ZoneId.of("Europe/Lisbon"));
    assertThat(settings.policies().exemptPaths())
        .isEqualTo(ExemptPaths.of(List.of("internal/*", "/books/{id}")));
  }

  @Test
  void readsAgainBetweenASecondAndADayOrNever() {
    assertThat(settings("comporta.reload-every", "1s").live().reloadEvery())
        .contains(Duration.ofSeconds(1));
    assertThat(settings("comporta.reload-every", "1000ms").live().reloadEvery())
        .contains(Duration.ofSeconds(1));
    assertThat(settings("comporta.reload-every", "0").live().reloadEvery()).isEmpty();
  }

  @Test
  void tellsACallerThatIsAllowedAndBlocked() {
    assertThat(
            SettingsReader.read(
                    MapSource.of(
                        "comporta.allow",
                        "principal:alice,principal:bob",
                        "comporta.block",
                        "principal:bob"),
                    "library")
                .faults())
        .extracting(PolicyFault::toString)
        .containsExactly(
            "must not have what comporta.allow has, was 'principal:bob' (comporta.block)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "comporta.store | disk | must be one of memory, redis, was 'disk'",
        "comporta.on-store-failure | open | must be one of local, allow, deny, was 'open'",
        "comporta.store-budget | 50 | must be 1ms to 10s, such as 50ms (units ms, s, m), was '50'",
        "comporta.store-budget | 0ms | must be 1ms to 10s, such as 50ms (units ms, s, m), was '0ms'",
        "comporta.store-budget | 11s | must be 1ms to 10s, such as 50ms (units ms, s, m), was '11s'",
        "comporta.local-share-percent | 0 | must be a whole number, 1 to 100, was '0'",
        "comporta.local-share-percent | 101 | must be a whole number, 1 to 100, was '101'",
        "comporta.memory.maximum-states | many | must be a whole number, 1 to 100000000, was 'many'",
        "comporta.ipv6-prefix | 31 | must be a whole number, 32 to 128, was '31'",
        "comporta.ipv6-prefix | 129 | must be a whole number, 32 to 128, was '129'",
        "comporta.headers | legacy,new | must be one of legacy, ietf, hints, was 'new'",
        "comporta.namespace | a{b} | must be letters, digits, '-', '_' and '.', 64 at most, was 'a{b}'",
        "comporta.api-keys.header | X API | must be the name of a header, was 'X API'",
        "comporta.forwarding-header | via | must be one of any, forwarded, x-forwarded-for, was 'via'",
        "comporta.identity.secret | hush-hush | must have at least 16 characters, had 9",
        "comporta.policies.a.by | tenant | must be one of caller, address, everyone, was 'tenant'",
        "comporta.policies.a.algorithm | gcra | must be one of token-bucket, sliding-window-counter, sliding-window-log, fixed-window, was 'gcra'",
        "comporta.mode | on | must be one of enforce, shadow, off, was 'on'",
        "comporta.policies.a.mode | on | must be one of enforce, shadow, off, was 'on'",
        "comporta.policies.a.charge | inherit | must be one of always, failures, successes, was 'inherit'",
        "comporta.policies.a.lease | 0 | must be a whole number, 1 to 1000, was '0'",
        "comporta.policies.a.lease | 1001 | must be a whole number, 1 to 1000, was '1001'",
        "comporta.policies.a.lease | ten | must be a whole number, 1 to 1000, was 'ten'",
        "comporta.near-limit-percent | 0 | must be a whole number, 1 to 100, was '0'",
        "comporta.near-limit-percent | 101 | must be a whole number, 1 to 100, was '101'",
        "comporta.retry-after.jitter-percent | -1 | must be a whole number, 0 to 100, was '-1'",
        "comporta.retry-after.jitter-percent | 101 | must be a whole number, 0 to 100, was '101'",
        "comporta.reload-every | 999ms | must be 0 or 1s to 1d, such as 30s (units ms, s, m, h, d), was '999ms'",
        "comporta.reload-every | 86401s | must be 0 or 1s to 1d, such as 30s (units ms, s, m, h, d), was '86401s'",
        "comporta.reload-every | 0s | must be 0 or 1s to 1d, such as 30s (units ms, s, m, h, d), was '0s'",
        "comporta.unknown-caller | maybe | must be one of deny, allow, share, was 'maybe'",
        "comporta.time-zone | EST5 | must be a time zone such as UTC or Europe/Lisbon, was 'EST5'",
        "comporta.time-zone | lisbon | must be a time zone such as UTC or Europe/Lisbon, was 'lisbon'",
        "comporta.exempt-paths | /* | must not be all paths (comporta.mode=off limits nothing), was '/*'",
        "comporta.exempt-paths | /a/*/b | must be a path as @Path writes it, such as /books/{id}, or /internal/* for all below, was '/a/*/b'",
        "comporta.allow | , | must have at least one element, was ','",
        "comporta.policies.a.limits | , | must have at least one limit, was ','",
        "comporta.redis.config-file | no/such.yaml | must be a file that can be read, was 'no/such.yaml'",
        "comporta.priority.before-authentication | -2147483648 | must be a whole number, -1000000 to 1000000, was '-2147483648'",
        "comporta.priority.before-authentication | -1000001 | must be a whole number, -1000000 to 1000000, was '-1000001'",
        "comporta.priority.after-authentication | 1000001 | must be a whole number, -1000000 to 1000000, was '1000001'",
        "comporta.api-keys.mobile.sha256 | E3B0C44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 | must be the SHA-256 of a key, was that of an empty text, as of a variable not set",
        "comporta.api-keys.mobile.sha256 | 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b | must be the SHA-256 of a key, was that of an empty text, as of a variable not set",
        "comporta.headers | , | must have at least one element, was ','",
        "comporta.trusted-proxies | ,, | must have at least one element, was ',,'",
        "comporta.tiers.gold.roles | , | must have at least one element, was ','",
        "comporta.trusted-proxies | 10.0.0.1/8 | a network must have no bits beyond its prefix, was '10.0.0.1/8'; probably meant: 10.0.0.0/8",
        "comporta.api-keys.mobile.sha256 | hush | a SHA-256 is 64 hexadecimal digits, was 4 characters",
        "comporta.priority.after-authentication | late | must be a whole number, -1000000 to 1000000, was 'late'",
      })
  void tellsABadValueWithItsKeyAndRule(String key, String value, String problem) {
    assertThat(read(key, value).faults()).containsExactly(new PolicyFault(key, problem));
  }

  @Test
  void tellsEveryBadElementOfAList() {
    assertThat(read("comporta.trusted-proxies", "10.0.0.0/8,proxy.example,10.0.0.0/99").faults())
        .extracting(PolicyFault::problem)
        .containsExactly(
            "a trusted proxy is an address or a network such as 10.0.0.0/8, was 'proxy.example'",
            "a trusted proxy is an address or a network such as 10.0.0.0/8, was '10.0.0.0/99'");
    assertThat(read("comporta.policies.a.limits", "0/1m,1/1m,1/0m").faults()).hasSize(2);
    assertThat(read("comporta.policies.a.tiers.b.limits", "0/1m").faults())
        .extracting(PolicyFault::place)
        .containsExactly("comporta.policies.a.tiers.b.limits");
  }

  @Test
  void tellsRedisWithoutAnAddressOrWithTwo(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("redisson.yaml"), "singleServerConfig: {}");

    assertThat(read("comporta.store", "redis").faults())
        .containsExactly(
            new PolicyFault(
                "comporta.store",
                "'redis' needs comporta.redis.address or comporta.redis.config-file, was neither"));
    assertThat(
            read(
                    "comporta.redis.address",
                    "redis://localhost:6379",
                    "comporta.redis.config-file",
                    file.toString())
                .faults())
        .containsExactly(
            new PolicyFault(
                "comporta.redis.address",
                "must not be set together with comporta.redis.config-file"));
    assertThat(
            read("comporta.store", "redis", "comporta.redis.config-file", file.toString()).faults())
        .isEmpty();
  }

  @Test
  void tellsApiKeysThatLackOrShareAHash() {
    assertThat(read("comporta.api-keys.mobile.tier", "premium").faults())
        .containsExactly(
            new PolicyFault(
                "comporta.api-keys.mobile.sha256",
                "must be set, since other settings name the API key 'mobile'"));
    assertThat(
            read("comporta.api-keys.a.sha256", HASH, "comporta.api-keys.b.sha256", HASH).faults())
        .containsExactly(
            new PolicyFault(
                "comporta.api-keys.b.sha256",
                "must differ from that of the API key 'a', was the same"));
    assertThat(
            read("comporta.api-keys.a.sha256", HASH, "comporta.api-keys.b.sha256", OTHER_HASH)
                .faults())
        .isEmpty();
  }

  @Test
  void tellsPrioritiesInTheWrongOrder() {
    assertThat(read("comporta.priority.before-authentication", "2100").faults()).hasSize(1);
    assertThat(read("comporta.priority.before-authentication", "2099").faults()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "comporta.polices.search.limits, comporta.policies.search.limits",
    "comporta.policies.search.limit, comporta.policies.search.limits",
    "comporta.policies.search.tier.gold.limits, comporta.policies.search.tiers.gold.limits",
    "comporta.stor, comporta.store",
    "comporta.trusted-proxy, comporta.trusted-proxies",
    "comporta.api-key.mobile.sha256, comporta.api-keys.mobile.sha256",
    "comporta.redis.adress, comporta.redis.address",
    "comporta.Store, comporta.store",
  })
  void tellsAnUnknownKeyWithTheNearest(String key, String nearest) {
    assertThat(read(key, "x").faults())
        .containsExactly(new PolicyFault(key, "no such setting; nearest: " + nearest));
  }

  @Test
  void tellsAnUnknownKeyThatIsLikeNone() {
    assertThat(read("comporta.entirely-different-thing", "x").faults())
        .containsExactly(new PolicyFault("comporta.entirely-different-thing", "no such setting"));
  }

  @Test
  void tellsANameThatNoPolicyCanHave() {
    assertThat(read("comporta.policies.a b.limits", "1/1m").faults())
        .extracting(PolicyFault::problem)
        .containsExactly("a name must be letters, digits, '-' and '_', 64 at most, was 'a b'");
  }

  @Test
  void readsKnownKeysFromTheEnvironmentAndIgnoresOthers() {
    Reading reading =
        SettingsReader.read(
            MapSource.of(
                    "comporta.policies.search.by", "address",
                    "comporta.tiers.gold.roles", "gold")
                .withEnvironment(
                    "COMPORTA_PORT", "tcp://10.0.0.1:80",
                    "COMPORTA_LOCAL_SHARE_PERCENT", "50",
                    "COMPORTA_POLICIES_SEARCH_LIMITS", "5/1m",
                    "COMPORTA_POLICIES_SEARCH_TIERS_GOLD_LIMITS", "50/1m"),
            "library");

    assertThat(reading.faults()).isEmpty();
    assertThat(reading.settings().store().localSharePercent()).isEqualTo(50);
    ConfiguredPolicy search =
        Optional.ofNullable(reading.settings().policies().byName().get("search")).orElseThrow();
    assertThat(search.limits()).extracting(LimitText::text).containsExactly("5/1m");
    assertThat(search.tiers()).containsOnlyKeys("gold");
  }

  @Test
  void looksUpPoliciesOfTheEnvironmentByTheirName() {
    Reading reading =
        SettingsReader.read(
            MapSource.of()
                .withEnvironment(
                    "COMPORTA_POLICIES_BOOK_SEARCH_LIMITS", "5/1m",
                    "COMPORTA_POLICIES_BAD_LIMITS", "5 a minute"),
            "library");
    List<PolicyFault> faults = new ArrayList<>();

    assertThat(reading.settings().policies().byName()).isEmpty();
    assertThat(reading.lookup().find("book-search", faults::add))
        .hasValueSatisfying(
            policy ->
                assertThat(policy.limits()).extracting(LimitText::text).containsExactly("5/1m"));
    assertThat(reading.lookup().find("other", faults::add)).isEmpty();
    assertThat(faults).isEmpty();

    assertThat(reading.lookup().find("bad", faults::add)).isPresent();
    assertThat(faults)
        .extracting(PolicyFault::place)
        .containsExactly("comporta.policies.bad.limits");
  }

  @ParameterizedTest
  @CsvSource({"/library-1.0, _library-1.0", "'', comporta", "a{b}, a_b_"})
  void makesANamespaceOfTheNameOfTheApplication(String name, String namespace) {
    assertThat(SettingsReader.read(MapSource.of(), name).settings().namespace())
        .isEqualTo(namespace);
  }

  @Test
  void treatsWhatIsBlankAsAbsent() {
    assertThat(settings("comporta.headers", " ", "comporta.store", "").headers()).hasSize(2);
  }

  @Test
  void warnsOfWhatIsOddAndStopsNothing() {
    Reading reading =
        read(
            "comporta.redis.address", "redis://localhost:6379",
            "comporta.trusted-proxies", "0.0.0.0/0",
            "comporta.api-keys.a.sha256", HASH,
            "comporta.api-keys.a.tier", "gold",
            "comporta.policies.search.limits", "1/1m",
            "comporta.policies.search.lease", "10",
            "comporta.policies.search.tiers.silver.limits", "2/1m");

    assertThat(reading.faults()).isEmpty();
    assertThat(reading.warnings())
        .extracting(PolicyFault::place)
        .containsExactly(
            "comporta.store",
            "comporta.policies.search.lease",
            "comporta.trusted-proxies",
            "comporta.api-keys.a.tier",
            "comporta.policies.search.tiers.silver.limits");
    assertThat(read().warnings()).isEmpty();
  }

  @Test
  void tellsAllFaultsAtOnce() {
    assertThat(
            read(
                    "comporta.store", "disk",
                    "comporta.polices.search.limits", "1/1m",
                    "comporta.ipv6-prefix", "7",
                    "comporta.default.limits", "0/1m")
                .faults())
        .hasSize(4);
  }

  private static Settings settings(String... keysAndValues) {
    Reading reading = read(keysAndValues);
    assertThat(reading.faults()).isEmpty();
    return reading.settings();
  }

  private static Reading read(String... keysAndValues) {
    return SettingsReader.read(MapSource.of(keysAndValues), "library");
  }
}
