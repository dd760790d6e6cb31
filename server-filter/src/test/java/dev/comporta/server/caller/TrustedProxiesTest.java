package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, ::ffff:10.1.2.3, true",
    "192.0.2.1, 192.0.2.1, true",
    "192.0.2.1, 192.0.2.2, false",
    "192.0.2.1/32, 192.0.2.1, true",
    "::ffff:10.0.0.0/104, 10.9.9.9, true",
    "::ffff:10.0.0.0/104, 11.0.0.1, false",
    "::ffff:192.0.2.1, 192.0.2.1, true",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "2001:db8::1, 2001:db8::2, false",
    "::/0, 2001:db8::1, true",
    "::/0, 192.0.2.1, false",
    "0.0.0.0/0, 192.0.2.1, true",
    "0.0.0.0/0, 2001:db8::1, false",
  })
  void trustsByBits(String network, String address, boolean isTrusted) {
    TrustedProxies proxies = TrustedProxies.of(List.of(network));

    assertThat(proxies.isTrusted(ClientAddress.parse(address).orElseThrow())).isEqualTo(isTrusted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0/8",
        "proxy.example.com",
        "localhost",
        "10.0.0.0/255.0.0.0",
        "10.*.0.0",
        "*",
        "/8",
        "2001:db8::/129",
        "fe80::1%eth0"
      })
  void refusesWhatIsNoNetwork(String network) {
    assertThatThrownBy(() -> TrustedProxies.of(List.of("10.0.0.0/8", network)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + network + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/8, 10.0.0.0/8",
    "192.0.2.129/25, 192.0.2.128/25",
    "0.0.0.1/0, 0.0.0.0/0",
    "2001:db8::1/32, 2001:db8::/32",
    "::ffff:10.0.0.1/104, 10.0.0.0/8",
  })
  void refusesBitsBeyondThePrefixAndNamesWhatWasProbablyMeant(String network, String meant) {
    assertThatThrownBy(() -> TrustedProxies.of(List.of(network)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a network must have no bits beyond its prefix, was '"
                + network
                + "'; probably meant: "
                + meant);
  }

  @Test
  void trustsNobodyByDefault() {
    assertThat(TrustedProxies.NONE.isTrusted(ClientAddress.parse("127.0.0.1").orElseThrow()))
        .isFalse();
  }
}
