package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.comporta.server.caller.AddressRules.ForwardingHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedWalkTest {

  private static final String PEER = "10.0.0.1";
  private static final TrustedProxies PROXIES =
      TrustedProxies.of(List.of("10.0.0.0/8", "2001:db8:ffff::/48"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "198.51.100.7 | 198.51.100.7",
        "1.2.3.4, 198.51.100.7 | 198.51.100.7",
        "1.2.3.4, 198.51.100.7, 10.0.0.2 | 198.51.100.7",
        "198.51.100.7, 10.0.0.3, 10.0.0.2 | 198.51.100.7",
        "10.0.0.9, 10.0.0.2 | 10.0.0.9",
        "1.2.3.4, unknown, 10.0.0.2 | 10.0.0.2",
        "1.2.3.4, garbage | 10.0.0.1",
        "198.51.100.7:4711, [2001:db8:ffff::1]:80 | 198.51.100.7",
        "198.51.100.7, ::ffff:10.0.0.5 | 198.51.100.7",
        "198.51.100.7,, , 10.0.0.2, | 198.51.100.7",
        "' ' | 10.0.0.1",
        ", , | 10.0.0.1",
        "198.51.100.7 , 10.0.0.2:443 | 198.51.100.7",
        "198.51.100.7, fe80::1%eth0 | fe80::/64",
        "1.2.3.4, _hidden, 10.0.0.2 | 10.0.0.2",
        "1.2.3.4, 10.0.0.0/8 | 10.0.0.1",
        "1.2.3.4, 198.51.100.7 10.0.0.2 | 10.0.0.1",
        "1.2.3.4, 198.51.100.7:_a b | 10.0.0.1",
        "1.2.3.4, for=198.51.100.7 | 10.0.0.1",
      })
  void walksForwardedForFromTheRight(String header, String client) {
    assertThat(client(ForwardingHeader.ANY, List.of(), List.of(header))).isEqualTo(client);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "for=198.51.100.7 | 198.51.100.7",
        "For=198.51.100.7;Proto=http;by=10.0.0.1 | 198.51.100.7",
        "for=\"198.51.100.7:4711\" | 198.51.100.7",
        "proto=https; for=\"[2001:db8::1]:4711\";host=\"a;b,c\" | 2001:db8::/64",
        "for=\"198.51.100.\\7\" | 198.51.100.7",
        "for=1.2.3.4, for=198.51.100.7, for=10.0.0.2 | 198.51.100.7",
        "for=1.2.3.4;x=\"evil, for=198.51.100.7 | 198.51.100.7",
        "for=\"evil, for=198.51.100.7;host=\"h\" | 198.51.100.7",
        "for=\"evil\\, for=198.51.100.7;host=\"h\" | 198.51.100.7",
        "for=1.2.3.4, for=unknown, for=10.0.0.2 | 10.0.0.2",
        "for=1.2.3.4, for=_hidden | 10.0.0.1",
        "for=1.2.3.4, proto=http | 10.0.0.1",
        "for=1.2.3.4;for=198.51.100.7 | 10.0.0.1",
        "for=198.51.100.7;broken | 10.0.0.1",
        "for=\"198.51.100.7 | 10.0.0.1",
        "for= | 10.0.0.1",
        "for=\"\" | 10.0.0.1",
        "FOR=198.51.100.7 | 198.51.100.7",
        "for=198.51.100.7:_gizmo | 198.51.100.7",
        "for=\"198.51.100.7:_giz.mo-1\" | 198.51.100.7",
        "for=\"198.51.100.7:_\" | 10.0.0.1",
        "for=\"[::ffff:198.51.100.7]\" | 198.51.100.7",
        "for=198.51.100.7;FOR=1.2.3.4 | 10.0.0.1",
        "by=1.2.3.4;for=198.51.100.7;x-for=1.2.3.4 | 198.51.100.7",
        "by=\"for=1.2.3.4\";for=198.51.100.7 | 198.51.100.7",
        "for=198.51.100.7,;,, | 10.0.0.1",
        "for=198.51.100.7;; | 198.51.100.7",
        "for=\"198.51.100.7\"1 | 10.0.0.1",
        "for=1.2.3.4, for=\"_SEVKISEK:_port\", for=10.0.0.2 | 10.0.0.2",
      })
  void walksForwardedFromTheRight(String header, String client) {
    assertThat(client(ForwardingHeader.ANY, List.of(header), List.of())).isEqualTo(client);
  }

  @Test
  void readsNoHeaderOfAPeerThatIsNotTrusted() {
    ClientAddress peer = ClientAddress.parse("203.0.113.5").orElseThrow();

    Origin origin =
        walk(ForwardingHeader.ANY).origin(peer, List.of("for=1.2.3.4"), List.of("1.2.3.4"));

    assertThat(origin).isEqualTo(Origin.certain(peer));
  }

  @Test
  void combinesRepeatedLinesInTheirOrder() {
    List<String> lines = List.of("1.2.3.4, 198.51.100.7", "10.0.0.3", "10.0.0.2");

    assertThat(client(ForwardingHeader.ANY, List.of(), lines)).isEqualTo("198.51.100.7");
  }

  @Test
  void trustsAPeerInItsMappedSpelling() {
    ClientAddress peer = ClientAddress.parse("::ffff:10.0.0.1").orElseThrow();

    Origin origin = walk(ForwardingHeader.ANY).origin(peer, List.of(), List.of("198.51.100.7"));

    assertThat(origin.address().identity(64)).isEqualTo("198.51.100.7");
  }

  @Test
  void isInDoubtWhereAHeaderHidesTheClientOrIsNotReadToItsEnd() {
    String trusted = "10.0.0.2, ".repeat(ListElements.MAX_ELEMENTS) + "10.0.0.2";

    assertThat(isCertain("unknown, 10.0.0.2")).isFalse();
    assertThat(isCertain("10.0.0.9, 10.0.0.2")).isTrue();
    assertThat(isCertain("")).isTrue();
    assertThat(isCertain(trusted)).isFalse();
    assertThat(isCertain(" ".repeat(ListElements.MAX_CHARS) + ",10.0.0.2")).isFalse();
    assertThat(isCertain("198.51.100.7, " + trusted.substring(0, 100) + "10.0.0.2")).isTrue();
  }

  @Test
  void believesBothHeadersWhenTheyAgree() {
    assertThat(
            client(
                ForwardingHeader.ANY,
                List.of("for=1.2.3.4, for=198.51.100.7"),
                List.of("198.51.100.7, 10.0.0.2")))
        .isEqualTo("198.51.100.7");
  }

  @Test
  void believesNeitherHeaderWhenTheyDisagree() {
    for (int forged = 1; forged < 50; forged++) {
      assertThat(
              client(ForwardingHeader.ANY, List.of("for=1.2.3." + forged), List.of("198.51.100.7")))
          .isEqualTo(PEER);
      assertThat(
              client(ForwardingHeader.ANY, List.of("for=198.51.100.7"), List.of("1.2.3." + forged)))
          .isEqualTo(PEER);
    }
  }

  @Test
  void ignoresTheOtherHeaderWhenOneIsNamed() {
    List<String> forwarded = List.of("for=192.0.2.60");
    List<String> xForwardedFor = List.of("198.51.100.7");

    assertThat(client(ForwardingHeader.FORWARDED, forwarded, xForwardedFor))
        .isEqualTo("192.0.2.60");
    assertThat(client(ForwardingHeader.FORWARDED, List.of(), xForwardedFor)).isEqualTo(PEER);
    assertThat(client(ForwardingHeader.X_FORWARDED_FOR, forwarded, xForwardedFor))
        .isEqualTo("198.51.100.7");
    assertThat(client(ForwardingHeader.X_FORWARDED_FOR, forwarded, List.of())).isEqualTo(PEER);
  }

  @Test
  void aForgedPrefixNeverChangesTheClient() {
    for (int forged = 0; forged < 256; forged++) {
      String header = "1.2.3." + forged + ", 5.6.7." + forged + ", 198.51.100.7";

      assertThat(client(ForwardingHeader.ANY, List.of(), List.of(header)))
          .isEqualTo("198.51.100.7");
    }
  }

  @Test
  void walksAtMostSixtyFourHops() {
    String trusted = ", 10.0.0.2".repeat(ListElements.MAX_ELEMENTS - 1);

    assertThat(client(ForwardingHeader.ANY, List.of(), List.of("198.51.100.7" + trusted)))
        .isEqualTo("198.51.100.7");
    assertThat(client(ForwardingHeader.ANY, List.of(), List.of("198.51.100.7, 10.0.0.3" + trusted)))
        .isEqualTo("10.0.0.3");
  }

  @Test
  void readsAtMostFourKibibytesAndNoElementThatIsCut() {
    String padding = " ".repeat(ListElements.MAX_CHARS - "198.51.100.7,10.0.0.2".length());

    assertThat(
            client(
                ForwardingHeader.ANY, List.of(), List.of("198.51.100.7," + padding + "10.0.0.2")))
        .isEqualTo("198.51.100.7");
    assertThat(
            client(
                ForwardingHeader.ANY, List.of(), List.of("198.51.100.7, " + padding + "10.0.0.2")))
        .isEqualTo("10.0.0.2");
    assertThat(
            client(
                ForwardingHeader.ANY,
                List.of(),
                List.of("198.51.100.7", padding + "            , 10.0.0.2")))
        .isEqualTo("10.0.0.2");
  }

  @Test
  void isQuickWithHostileHeaders() {
    List<String> hostile =
        List.of("\\".repeat(2_000_000) + "\"", "\"".repeat(1_000_000), ",".repeat(4_000_000));

    assertThat(hostile)
        .allSatisfy(
            header ->
                assertTimeout(
                    Duration.ofSeconds(2),
                    () -> client(ForwardingHeader.ANY, List.of(header), List.of(header))));
  }

  @RepeatedTest(20)
  void takesAnyHeaderWithoutThrowing(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    String[] pieces = {
      "for=",
      "For=\"",
      "\"",
      "\\",
      ",",
      ";",
      " ",
      "10.0.0.2",
      "198.51.100.7",
      "[2001:db8::1]",
      ":",
      "unknown",
      "_x",
      "=",
      "proto=http",
      "[",
      "]",
      "%",
      "\u0000",
      "é"
    };

    for (int round = 0; round < 300; round++) {
      List<String> lines = new ArrayList<>();
      for (int line = random.nextInt(3); line >= 0; line--) {
        StringBuilder text = new StringBuilder();
        for (int piece = random.nextInt(20); piece > 0; piece--) {
          text.append(pieces[random.nextInt(pieces.length)]);
        }
        lines.add(text.toString());
      }
      lines.add("for=198.51.100.99;host=\"x\"");

      assertThat(client(ForwardingHeader.ANY, lines, List.of()))
          .as("seed %d, lines %s", seed, lines)
          .isEqualTo("198.51.100.99");
      assertThat(client(ForwardingHeader.ANY, List.of(), lines)).isEqualTo(PEER);
    }
  }

  private static boolean isCertain(String xForwardedFor) {
    ClientAddress peer = ClientAddress.parse(PEER).orElseThrow();
    return walk(ForwardingHeader.ANY).origin(peer, List.of(), List.of(xForwardedFor)).isCertain();
  }

  private static String client(
      ForwardingHeader header, List<String> forwarded, List<String> xForwardedFor) {
    ClientAddress peer = ClientAddress.parse(PEER).orElseThrow();
    return walk(header).origin(peer, forwarded, xForwardedFor).address().identity(64);
  }

  private static ForwardedWalk walk(ForwardingHeader header) {
    return new ForwardedWalk(new AddressRules(PROXIES, header, 64));
  }
}
