package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "192.0.2.1:4711, 192.0.2.1",
    "192.0.2.1:_gizmo, 192.0.2.1",
    "' 192.0.2.1 ', 192.0.2.1",
    "::ffff:192.0.2.1, 192.0.2.1",
    "::FFFF:C000:0201, 192.0.2.1",
    "0:0:0:0:0:ffff:c000:201, 192.0.2.1",
    "[::ffff:192.0.2.1]:443, 192.0.2.1",
    "2001:db8::1, 2001:db8::/64",
    "2001:DB8:0:0:0:0:0:1, 2001:db8::/64",
    "2001:0db8::ffff:ffff:ffff:ffff, 2001:db8::/64",
    "[2001:db8::1], 2001:db8::/64",
    "[2001:db8::1]:4711, 2001:db8::/64",
    "2001:db8::1%eth0, 2001:db8::/64",
    "[fe80::1%25eth0]:80, fe80::/64",
    "2001:db8:0:1::1, 2001:db8:0:1::/64",
    "::1, ::/64",
    "0:0:0:0:0:0:0:1, ::/64",
  })
  void isToldApartByBitsNotBySpelling(String text, String identity) {
    assertThat(ClientAddress.parse(text)).isPresent();
    assertThat(ClientAddress.parse(text).orElseThrow().identity(64)).isEqualTo(identity);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "unknown",
        "_hidden",
        "localhost",
        "example.com",
        "1.2.3",
        "1",
        "3232235777",
        "0x7f.0.0.1",
        "0x7f000001",
        "010.0.0.1",
        "1.2.3.4.5",
        "256.0.0.1",
        "1.2.3.*",
        "1.2.3.1-4",
        "*",
        "1.2.3.4/24",
        "2001:db8::/32",
        "2001:db8::1::2",
        "[2001:db8::1",
        "2001:db8::1]",
        "[1.2.3.4]",
        "1.2.3.4:",
        "1.2.3.4:123456",
        "1.2.3.4:80:90",
        "[::1]x",
        "1.2.3.4, 5.6.7.8",
        "1.2.3.4\u0000",
        "4)+k&C#VzJ4br>0wv%Yp"
      })
  void isNotReadFromWhatIsNoAddress(String text) {
    assertThat(ClientAddress.parse(text)).isEmpty();
  }

  @Test
  void groupsIpv6ByItsPrefixOnly() {
    ClientAddress one = ClientAddress.parse("2001:db8:0:1::1").orElseThrow();
    ClientAddress other = ClientAddress.parse("2001:db8:0:2::1").orElseThrow();

    assertThat(one.identity(64)).isNotEqualTo(other.identity(64));
    assertThat(one.identity(48)).isEqualTo(other.identity(48)).isEqualTo("2001:db8::/48");
    assertThat(one.identity(128)).isEqualTo("2001:db8:0:1::1/128");
  }

  @Test
  void isNotToldByItsText() {
    assertThat(ClientAddress.parse("192.0.2.77").orElseThrow().toString()).doesNotContain("77");
  }

  @RepeatedTest(20)
  @Timeout(10)
  void takesAnyTextWithoutThrowing(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    String alphabet = "0123456789abcdefx:.[]%/*-_ ,\"\\=\u0000\u00e9\ud83d";

    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(60);
      for (int at = 0; at < length; at++) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }

      ClientAddress.parse(text.toString())
          .ifPresent(
              address ->
                  assertThat(ClientAddress.parse(address.identity(128).replace("/128", "")))
                      .as("seed %d, text '%s'", seed, text)
                      .contains(address));
    }
  }

  @Test
  void anIpv4AddressBehindATranslatorIsThatAddress() {
    assertThat(ClientAddress.parse("64:ff9b::192.0.2.1").orElseThrow().identity(64))
        .isEqualTo("192.0.2.1");
    assertThat(ClientAddress.parse("64:ff9b::c000:202").orElseThrow().identity(64))
        .isEqualTo("192.0.2.2");
    assertThat(ClientAddress.parse("64:ff9b:1::192.0.2.1").orElseThrow().identity(64))
        .isEqualTo("64:ff9b:1::/64");
  }
}
