package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallersTest {

  private static final String HEADER = "X-API-Key";

  private static final ApiKey MOBILE =
      new ApiKey("mobile", sha256("k-mobile-0123456789"), Optional.of("premium"));
  private static final ApiKey BATCH = new ApiKey("batch", sha256("k-batch"), Optional.empty());
  private static final ApiKeyCaller API_KEYS = new ApiKeyCaller(HEADER, List.of(MOBILE, BATCH));

  @Test
  void recognisesAConfiguredKeyByItsHash() {
    assertThat(API_KEYS.identify(Requests.with(HEADER, "k-mobile-0123456789")))
        .contains(new Caller("api-key", "mobile", Optional.of("premium")));
    assertThat(API_KEYS.identify(Requests.with(HEADER, " k-batch ")))
        .contains(Caller.of("api-key", "batch"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "k-batcH", "k-batch2", "batch", "mobile"})
  void recognisesNoInventedKey(String key) {
    assertThat(API_KEYS.identify(Requests.with(HEADER, key))).isEmpty();
  }

  @Test
  void recognisesNeitherTheHashNorTwoKeysNorALongOne() {
    assertThat(API_KEYS.identify(Requests.with(HEADER, BATCH.sha256()))).isEmpty();
    assertThat(API_KEYS.identify(Requests.with(HEADER, "k-batch", "k-batch"))).isEmpty();
    assertThat(
            API_KEYS.identify(
                Requests.with(HEADER, "k-batch" + " ".repeat(ApiKeyCaller.MAX_LENGTH))))
        .isEmpty();
    assertThat(API_KEYS.identify(Requests.with(HEADER))).isEmpty();
  }

  @Test
  void takesTheHashInCapitalsAndTellsNoneInItsText() {
    ApiKey key =
        new ApiKey("batch", BATCH.sha256().toUpperCase(java.util.Locale.ROOT), Optional.empty());

    assertThat(key).isEqualTo(BATCH);
    assertThat(key.toString()).doesNotContain(BATCH.sha256());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "the-key-itself", "g0"})
  void refusesAHashOfAnotherFormWithoutTellingIt(String hash) {
    assertThatThrownBy(() -> new ApiKey("batch", hash, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a SHA-256 is 64 hexadecimal digits, was " + hash.length() + " characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n"})
  void refusesTheHashOfATextWithoutAKey(String empty) {
    String hash = sha256(empty);

    assertThatThrownBy(() -> new ApiKey("batch", hash, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t", " \t\n "})
  void recognisesNobodyByABlankHeader(String blank) {
    ApiKey ofTheSame = new ApiKey("blank", sha256(blank + " "), Optional.empty());
    ApiKeyCaller callers = new ApiKeyCaller(HEADER, List.of(ofTheSame));

    assertThat(callers.identify(Requests.with(HEADER, blank))).isEmpty();
    assertThat(callers.identify(Requests.with(HEADER, blank + " "))).isEmpty();
  }

  @Test
  void recognisesAPrincipalWithTheTierOfItsRoles() {
    PrincipalCaller principals =
        new PrincipalCaller(Map.of("premium", Set.of("gold", "partner"), "basic", Set.of("user")));

    assertThat(principals.identify(Requests.by(Requests.user("ana", "partner"))))
        .contains(Caller.of("principal", "ana").inTier("premium"));
    assertThat(principals.identify(Requests.by(Requests.user("ana", "gold", "user"))))
        .contains(Caller.of("principal", "ana").inTier("basic"));
    assertThat(principals.identify(Requests.by(Requests.user("ana", "guest"))))
        .contains(Caller.of("principal", "ana"));
  }

  @Test
  void recognisesNoPrincipalWithoutAName() {
    PrincipalCaller principals = new PrincipalCaller(Map.of());

    assertThat(principals.identify(Requests.by(null))).isEmpty();
    assertThat(principals.identify(Requests.by(Requests.user(null)))).isEmpty();
    assertThat(principals.identify(Requests.by(Requests.user("")))).isEmpty();
  }

  @Test
  void asksInOrderAndFallsBackToTheAddress() {
    CallerChain chain = chain(Optional.of("192.0.2.1"));

    assertThat(caller(chain, By.CALLER, Requests.by(Requests.user("ana"))))
        .isEqualTo(Caller.of("principal", "ana"));
    assertThat(caller(chain, By.CALLER, Requests.with(HEADER, "k-batch")))
        .isEqualTo(Caller.of("api-key", "batch"));
    assertThat(caller(chain, By.CALLER, Requests.with(HEADER, "invented")))
        .isEqualTo(Caller.of("address", "192.0.2.1"));
    assertThat(caller(chain, By.ADDRESS, Requests.with(HEADER, "k-batch")))
        .isEqualTo(Caller.of("address", "192.0.2.1"));
  }

  @Test
  void countsEveryoneAsOne() {
    CallerChain chain = chain(Optional.of("192.0.2.1"));

    assertThat(caller(chain, By.EVERYONE, Requests.with(HEADER, "k-batch")))
        .isEqualTo(caller(chain, By.EVERYONE, Requests.by(Requests.user("ana"))));
  }

  @Test
  void readsForwardingHeadersOfTrustedPeersOnly() {
    AddressRules rules =
        new AddressRules(
            TrustedProxies.of(List.of("10.0.0.0/8")), AddressRules.ForwardingHeader.ANY, 64);
    ContainerRequestContext request = Requests.with("X-Forwarded-For", "1.2.3.4, 198.51.100.7");

    assertThat(new AddressCaller(any -> Optional.of("10.0.0.1"), rules).identify(request))
        .contains(Caller.of("address", "198.51.100.7"));
    assertThat(new AddressCaller(any -> Optional.of("203.0.113.9"), rules).identify(request))
        .contains(Caller.of("address", "203.0.113.9"));
    assertThat(
            new AddressCaller(any -> Optional.of("10.0.0.1"), AddressRules.DEFAULT)
                .identify(request))
        .contains(Caller.of("address", "10.0.0.1"));
  }

  private static CallerChain chain(Optional<String> peer) {
    return new CallerChain(
        List.of(new PrincipalCaller(Map.of()), API_KEYS),
        new AddressCaller(request -> peer, AddressRules.DEFAULT),
        List.of(),
        UnknownCaller.DENY);
  }

  private static Caller caller(CallerChain chain, By by, ContainerRequestContext request) {
    return chain.of(request).caller(by).orElseThrow();
  }

  private static String sha256(String text) {
    return HexFormat.of().formatHex(Digests.sha256(text.getBytes(StandardCharsets.UTF_8)));
  }
}
