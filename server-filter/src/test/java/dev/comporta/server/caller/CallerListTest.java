package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallerListTest {

  private static final String RULE =
      "must be an address, a network such as 10.0.0.0/8, or kind:identity such as principal:alice";

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, 9.255.255.255, false",
    "10.0.0.0/8, ::ffff:10.1.2.3, true",
    "::ffff:10.0.0.0/104, 10.1.2.3, true",
    "192.0.2.7, 192.0.2.7, true",
    "192.0.2.7, 192.0.2.8, false",
    "192.0.2.7/32, 192.0.2.7, true",
    "' 192.0.2.7 ', 192.0.2.7, true",
    "address:192.0.2.7, 192.0.2.7, true",
    "address:192.0.2.0/24, 192.0.2.255, true",
    "address:2001:db8::/64, 2001:db8::7, true",
    "::1, ::1, true",
    "::1, ::2, false",
    "fe80::1%eth0, fe80::1, true",
    "fe80::1%eth0, fe80::1%eth1, true",
    "fe80::1%eth0, fe80::2%eth0, false",
    "dead:beef::1, dead:beef::1, true",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "0.0.0.0/0, 192.0.2.1, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "::/0, 2001:db8::1, true",
    "::/0, 192.0.2.1, false",
  })
  void matchesAddressesByBits(String element, String address, boolean isListed) {
    CallerList list = CallerList.of(List.of(element));

    assertThat(list.matches(address(address))).isEqualTo(isListed);
    assertThat(list.hasIdentities()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "principal:alice, principal, alice, true",
    "principal:alice, principal, Alice, false",
    "principal:alice, api-key, alice, false",
    "Principal:alice, principal, alice, false",
    "api-key:a:b, api-key, a:b, true",
    "api-key:a:b, api-key, a, false",
    "principal:::1, principal, ::1, true",
    "principal:10.0.0.0/8, principal, 10.0.0.0/8, true",
    "principal:127.0.0.1, address, 127.0.0.1, false",
    "principal:a b%c=é, principal, a b%c=é, true",
    "'principal: alice', principal, ' alice', true",
    "tenant.v2:x, tenant.v2, x, true",
  })
  void matchesIdentitiesByKindAndIdentityExactly(
      String element, String kind, String identity, boolean isListed) {
    CallerList list = CallerList.of(List.of(element));

    assertThat(list.matches(Caller.of(kind, identity))).isEqualTo(isListed);
    assertThat(list.matches(Caller.of(kind, identity).inTier("premium"))).isEqualTo(isListed);
    assertThat(list.hasNetworks()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "alice",
        "localhost",
        "*",
        "10.0.0",
        "10.0.0.0/33",
        "10.0.0.0/255.0.0.0",
        "192.0.2.7:443",
        "[::1]",
        "[::1]:443",
        "::1::2",
        "::g",
        "fe80::g",
        "fe80::/64%eth0",
        "fe80::%eth0/64",
        "fe80::1%",
        "%eth0",
        "2001:db8:1",
        "abcd:ef",
        ":alice",
        "principal:",
        "address:",
        "address:alice",
        "address:unknown",
        "my kind:alice",
        "1principal:alice",
      })
  void refusesAnElementThatIsNeither(String element) {
    assertThatThrownBy(() -> CallerList.of(List.of("10.0.0.0/8", element)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(RULE + ", was '" + element.strip() + "'");
  }

  @Test
  void refusesBitsBeyondThePrefixAndNamesWhatWasProbablyMeant() {
    assertThatThrownBy(() -> CallerList.of(List.of("10.0.0.1/8")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a network must have no bits beyond its prefix, was '10.0.0.1/8'; probably meant:"
                + " 10.0.0.0/8");
  }

  @Test
  void tellsNobodyInItsText() {
    CallerList list = CallerList.of(List.of("principal:alice", "192.0.2.77", "10.0.0.0/8"));

    assertThat(list).hasToString("CallerList[networks=2, identities=1]");
  }

  @Test
  void listsNobodyWhenEmpty() {
    assertThat(CallerList.NONE.isEmpty()).isTrue();
    assertThat(CallerList.of(List.of()).isEmpty()).isTrue();
    assertThat(CallerList.NONE.matches(address("192.0.2.1"))).isFalse();
    assertThat(CallerList.NONE.matches(Caller.of("principal", "alice"))).isFalse();
    assertThat(CallerList.of(List.of("192.0.2.1")).isEmpty()).isFalse();
    assertThat(CallerList.of(List.of("principal:alice")).isEmpty()).isFalse();
  }

  @Test
  void matchesAmongThousandsOfNetworksAsOneByOneWould() {
    long seed = 7;
    Random random = new Random(seed);
    List<String> networks = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      int bits = 12 + random.nextInt(21);
      int first = random.nextInt() & (-1 << (32 - bits));
      networks.add(dotted(first) + "/" + bits);
    }
    CallerList list = CallerList.of(networks);
    List<CallerList> alone = networks.stream().map(one -> CallerList.of(List.of(one))).toList();

    for (int i = 0; i < 300; i++) {
      ClientAddress address = address(dotted(random.nextInt()));

      assertThat(list.matches(address))
          .as("seed %d, address %d", seed, i)
          .isEqualTo(alone.stream().anyMatch(one -> one.matches(address)));
    }
  }

  private static String dotted(int bits) {
    return (bits >>> 24)
        + "."
        + (bits >>> 16 & 255)
        + "."
        + (bits >>> 8 & 255)
        + "."
        + (bits & 255);
  }

  private static ClientAddress address(String text) {
    return ClientAddress.parse(text).orElseThrow();
  }
}
