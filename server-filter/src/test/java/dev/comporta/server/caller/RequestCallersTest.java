package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.TierResolver;
import dev.comporta.server.caller.AddressRules.ForwardingHeader;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestCallersTest {

  private static final String PEER = "192.0.2.1";
  private static final Caller BY_ADDRESS = Caller.of("address", PEER);
  private static final CallerIdentifier NOBODY = request -> Optional.empty();
  private static final ContainerRequestContext REQUEST = Requests.by(null);

  @Test
  void asksEachIdentifierOnceWhateverIsAskedHowOften() {
    AtomicInteger asked = new AtomicInteger();
    CallerIdentifier counting =
        request -> {
          asked.incrementAndGet();
          return Optional.empty();
        };
    CallerIdentifier other = request -> Optional.of(Caller.of("tenant", "t"));
    AtomicInteger peers = new AtomicInteger();
    AddressCaller address =
        new AddressCaller(
            request -> {
              peers.incrementAndGet();
              return Optional.of(PEER);
            },
            AddressRules.DEFAULT);
    RequestCallers callers =
        new CallerChain(List.of(NOBODY), address, List.of(), UnknownCaller.DENY).of(REQUEST);

    for (int i = 0; i < 3; i++) {
      assertThat(callers.keyedBy(counting)).contains(BY_ADDRESS);
      assertThat(callers.keyedBy(other)).contains(Caller.of("tenant", "t"));
      assertThat(callers.caller()).contains(BY_ADDRESS);
      assertThat(callers.address()).contains(BY_ADDRESS);
      assertThat(callers.isBlocked(CallerList.of(List.of(PEER)))).isTrue();
    }

    assertThat(asked).hasValue(1);
    assertThat(peers).hasValue(1);
  }

  @Test
  void asksTheChainOnceAlsoWhenItKnowsNobody() {
    AtomicInteger asked = new AtomicInteger();
    CallerIdentifier counting =
        request -> {
          asked.incrementAndGet();
          return Optional.empty();
        };
    RequestCallers callers =
        new CallerChain(List.of(counting), peer(Optional.empty()), List.of(), UnknownCaller.DENY)
            .of(REQUEST);

    assertThat(callers.caller()).isEmpty();
    assertThat(callers.caller()).isEmpty();
    assertThat(asked).hasValue(1);
  }

  @Test
  void asksNobodyForEveryone() {
    CallerIdentifier failing =
        request -> {
          throw new AssertionError("asked");
        };
    RequestCallers callers =
        new CallerChain(List.of(failing), peer(Optional.empty()), List.of(), UnknownCaller.DENY)
            .of(REQUEST);

    assertThat(callers.caller(By.EVERYONE)).contains(callers.everyone());
    assertThat(callers.isAllowed(CallerList.NONE)).isFalse();
    assertThat(callers.isBlocked(CallerList.NONE)).isFalse();
    assertThat(callers.isBlocked(CallerList.of(List.of("10.0.0.0/8")))).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = UnknownCaller.class,
      names = {"DENY", "ALLOW"})
  void knowsNobodyWithoutAnAddress(UnknownCaller policy) {
    CallerChain chain = new CallerChain(List.of(), peer(Optional.empty()), List.of(), policy);

    assertThat(chain.of(REQUEST).caller()).isEmpty();
    assertThat(chain.of(REQUEST).address()).isEmpty();
    assertThat(chain.of(REQUEST).keyedBy(NOBODY)).isEmpty();
    assertThat(chain.of(REQUEST).tier()).isEmpty();
    assertThat(chain.of(REQUEST).caller(By.EVERYONE)).isPresent();
    assertThat(chain.whenUnknown()).isEqualTo(policy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@unix", "unix:", "", "localhost"})
  void makesRequestsWithoutAnAddressOneCallerOnlyWhereTheyShare(String peer) {
    CallerChain chain =
        new CallerChain(List.of(), peer(Optional.of(peer)), List.of(), UnknownCaller.SHARE);

    Caller shared = chain.of(REQUEST).caller().orElseThrow();

    assertThat(chain.of(REQUEST).address()).contains(shared);
    assertThat(chain.of(REQUEST).keyedBy(NOBODY)).contains(shared);
    assertThat(shared.kind()).isNotEqualTo(AddressCaller.KIND);
  }

  @Test
  void knowsWhoIsRecognisedWithoutAnAddress() {
    CallerChain chain =
        new CallerChain(
            List.of(new PrincipalCaller(Map.of())),
            peer(Optional.empty()),
            List.of(),
            UnknownCaller.DENY);

    assertThat(chain.of(Requests.by(Requests.user("ana"))).caller())
        .contains(Caller.of("principal", "ana"));
  }

  @Test
  void tellsWhichIdentifierBrokeItsContract() {
    CallerIdentifier broken = new NullCaller();

    assertThatThrownBy(() -> chain(List.of(broken), List.of()).of(REQUEST).caller())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining(NullCaller.class.getName());
  }

  @Test
  void asksResolversInOrderForTheTierOfACallerWithoutOne() {
    TierResolver silent = (caller, request) -> Optional.empty();
    TierResolver byKind = (caller, request) -> Optional.of("tier-of-" + caller.kind());
    TierResolver late = (caller, request) -> Optional.of("late");
    CallerChain chain =
        chain(
            List.of(new PrincipalCaller(Map.of("gold", java.util.Set.of("vip")))),
            List.of(silent, byKind, late));

    assertThat(chain.of(Requests.by(Requests.user("ana"))).tier()).contains("tier-of-principal");
    assertThat(chain.of(REQUEST).tier()).contains("tier-of-address");
    assertThat(chain.of(Requests.by(Requests.user("ana", "vip"))).tier()).contains("gold");
  }

  @Test
  void asksResolversOnceAndOnlyForTheTier() {
    AtomicInteger asked = new AtomicInteger();
    TierResolver counting =
        (caller, request) -> {
          asked.incrementAndGet();
          return Optional.empty();
        };
    RequestCallers callers = chain(List.of(), List.of(counting)).of(REQUEST);

    assertThat(callers.caller()).contains(BY_ADDRESS);
    assertThat(asked).hasValue(0);
    assertThat(callers.tier()).isEmpty();
    assertThat(callers.tier()).isEmpty();
    assertThat(asked).hasValue(1);
  }

  @Test
  void matchesAListByTheWholeAddressAndNotByItsGroup() {
    RequestCallers callers =
        new CallerChain(List.of(), peer(Optional.of("2001:db8::7")), List.of(), UnknownCaller.DENY)
            .of(REQUEST);

    assertThat(callers.address()).contains(Caller.of("address", "2001:db8::/64"));
    assertThat(callers.isBlocked(CallerList.of(List.of("2001:db8::7")))).isTrue();
    assertThat(callers.isBlocked(CallerList.of(List.of("2001:db8::8")))).isFalse();
    assertThat(callers.isAllowed(CallerList.of(List.of("2001:db8::7")))).isTrue();
    assertThat(callers.isAllowed(CallerList.of(List.of("2001:db8::8")))).isFalse();
  }

  @Test
  void matchesAListByAddressWhoeverIsLoggedIn() {
    RequestCallers callers =
        chain(List.of(new PrincipalCaller(Map.of())), List.of())
            .of(Requests.by(Requests.user("ana")));

    assertThat(callers.isBlocked(CallerList.of(List.of("192.0.2.0/24")))).isTrue();
    assertThat(callers.isBlocked(CallerList.of(List.of("principal:ana")))).isTrue();
    assertThat(callers.isBlocked(CallerList.of(List.of("principal:bob", "10.0.0.0/8")))).isFalse();
  }

  @Test
  void contradictingHeadersNeitherAllowAProxyNorUnblockAClient() {
    ContainerRequestContext contradicting =
        Requests.with(
            Map.of(
                "Forwarded", List.of("for=1.2.3.4"),
                "X-Forwarded-For", List.of("198.51.100.7")));
    RequestCallers callers = behindProxies(ForwardingHeader.ANY).of(contradicting);

    assertThat(callers.address()).contains(Caller.of("address", "10.0.0.1"));
    assertThat(callers.isAllowed(CallerList.of(List.of("10.0.0.0/8")))).isFalse();
    assertThat(callers.isAllowed(CallerList.of(List.of("1.2.3.4", "198.51.100.7")))).isFalse();
    assertThat(callers.isBlocked(CallerList.of(List.of("198.51.100.7")))).isTrue();
    assertThat(callers.isBlocked(CallerList.of(List.of("203.0.113.1")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"for=_hidden", "for=unknown", "for=garbage", "for=1.2.3.4;for=10.0.0.2"})
  void aHiddenClientIsNotAllowedAsItsProxy(String forwarded) {
    CallerChain chain = behindProxies(ForwardingHeader.ANY);
    CallerList proxies = CallerList.of(List.of("10.0.0.0/8"));

    assertThat(chain.of(Requests.with("Forwarded", forwarded)).isAllowed(proxies)).isFalse();
    assertThat(chain.of(REQUEST).isAllowed(proxies)).isTrue();
    assertThat(chain.of(Requests.with("Forwarded", "for=10.0.0.9")).isAllowed(proxies)).isTrue();
  }

  @Test
  void aClientInAHeaderThatIsNotReadIsNotAllowedAsItsProxy() {
    ContainerRequestContext request = Requests.with("X-Forwarded-For", "198.51.100.7");
    CallerList proxies = CallerList.of(List.of("10.0.0.0/8"));

    assertThat(behindProxies(ForwardingHeader.FORWARDED).of(request).isAllowed(proxies)).isFalse();
    assertThat(behindProxies(ForwardingHeader.FORWARDED).of(REQUEST).isAllowed(proxies)).isTrue();
  }

  @Test
  void aForgedPrefixAllowsNobody() {
    RequestCallers callers =
        behindProxies(ForwardingHeader.ANY)
            .of(Requests.with("X-Forwarded-For", "192.168.0.1, 10.0.0.5, 198.51.100.7, 10.0.0.2"));

    assertThat(callers.isAllowed(CallerList.of(List.of("192.168.0.0/16", "10.0.0.0/8")))).isFalse();
    assertThat(callers.isAllowed(CallerList.of(List.of("198.51.100.7")))).isTrue();
  }

  /** One that breaks its contract, as code without null checks can. */
  private static final class NullCaller implements CallerIdentifier {
    @Override
    @SuppressWarnings("NullAway")
    public Optional<Caller> identify(ContainerRequestContext request) {
      return null;
    }
  }

  private static CallerChain behindProxies(ForwardingHeader header) {
    AddressRules rules = new AddressRules(TrustedProxies.of(List.of("10.0.0.0/8")), header, 64);
    AddressCaller address = new AddressCaller(request -> Optional.of("10.0.0.1"), rules);
    return new CallerChain(List.of(), address, List.of(), UnknownCaller.DENY);
  }

  private static CallerChain chain(List<CallerIdentifier> identifiers, List<TierResolver> tiers) {
    return new CallerChain(identifiers, peer(Optional.of(PEER)), tiers, UnknownCaller.DENY);
  }

  private static AddressCaller peer(Optional<String> address) {
    return new AddressCaller(request -> address, AddressRules.DEFAULT);
  }
}
