package dev.comporta.server.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.caller.AddressRules.ForwardingHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A client that nobody trusts writes whatever it likes, then trusted proxies add what they see. The
 * client that is found is never one that only the first of them wrote.
 */
class ForwardedFuzzTest {

  private static final int ROUNDS = 100_000;

  private static final ClientAddress PEER = address("10.0.0.1");
  private static final ClientAddress CLIENT = address("198.51.100.7");

  /** None of these is the client; some look like proxies. */
  private static final String[] PIECES = {
    "for=",
    "For=\"",
    "fOR =",
    "\"",
    "\\",
    "\\\"",
    ",",
    ", ",
    ";",
    " ",
    "\t",
    "=",
    ":",
    "[",
    "]",
    "%",
    "%eth0",
    "/8",
    "10.0.0.2",
    "10.0.0.1",
    "203.0.113.9",
    "::ffff:203.0.113.9",
    "[2001:db8::1]:80",
    "2001:db8::2",
    "unknown",
    "_hidden",
    "_",
    "by=",
    "host=\"a,b;c\"",
    "proto=http",
    "\u0000",
    "\r\n",
    "\u00e9",
    "\ud83d",
    "for=10.0.0.9, for=10.0.0.8",
    ",,,,"
  };

  private static final String[] HONEST_NODES = {
    "for=198.51.100.7",
    "For=\"198.51.100.7:4711\";proto=https",
    "by=10.0.0.1;for=198.51.100.7;host=\"api.example.com\"",
    "for=\"[::ffff:198.51.100.7]:443\";host=\"a\\\"b,c;d\"",
  };

  private static final String[] HONEST_HOPS = {
    "198.51.100.7", "198.51.100.7:4711", "::ffff:198.51.100.7", "[::ffff:198.51.100.7]:80",
  };

  @Test
  void findsTheClientThatTheFirstTrustedProxySawWhateverItForged() {
    long seed = 20_261_130;
    Random random = new Random(seed);

    for (int round = 0; round < ROUNDS; round++) {
      boolean isForwarded = random.nextBoolean();
      List<String> lines = forged(random);
      addHonest(lines, random, isForwarded);

      Origin origin = origin(ForwardingHeader.ANY, lines, isForwarded);

      assertThat(origin)
          .as("seed %d, round %d, lines %s", seed, round, lines)
          .isEqualTo(Origin.certain(CLIENT));
    }
  }

  @Test
  void countsForTheClientOrTheProxyWhenTheOtherHeaderIsForged() {
    long seed = 20_261_131;
    Random random = new Random(seed);

    for (int round = 0; round < ROUNDS; round++) {
      boolean isForwarded = random.nextBoolean();
      List<String> honest = forged(random);
      addHonest(honest, random, isForwarded);
      List<String> forged = forged(random);

      Origin origin =
          isForwarded
              ? walk(ForwardingHeader.ANY).origin(PEER, honest, forged)
              : walk(ForwardingHeader.ANY).origin(PEER, forged, honest);

      assertThat(origin.isCertain() ? CLIENT : PEER)
          .as("seed %d, round %d, honest %s, forged %s", seed, round, honest, forged)
          .isEqualTo(origin.address());
      assertThat(origin.isCertain() || origin.claimed().contains(CLIENT))
          .as("seed %d, round %d, honest %s, forged %s", seed, round, honest, forged)
          .isTrue();
    }
  }

  @Test
  void takesAnyMutatedHeaderWithoutThrowing() {
    long seed = 20_261_132;
    Random random = new Random(seed);
    ForwardingHeader[] headers = ForwardingHeader.values();

    for (int round = 0; round < ROUNDS; round++) {
      List<String> lines = forged(random);
      addHonest(lines, random, random.nextBoolean());
      String last = lines.remove(lines.size() - 1);
      lines.add(mutated(last, random));

      Origin origin = origin(headers[round % headers.length], lines, random.nextBoolean());

      assertThat(origin.address()).as("seed %d, round %d", seed, round).isNotNull();
    }
  }

  private static Origin origin(ForwardingHeader header, List<String> lines, boolean isForwarded) {
    return isForwarded
        ? walk(header).origin(PEER, lines, List.of())
        : walk(header).origin(PEER, List.of(), lines);
  }

  private static List<String> forged(Random random) {
    List<String> lines = new ArrayList<>();
    for (int line = random.nextInt(3); line > 0; line--) {
      StringBuilder text = new StringBuilder();
      for (int piece = random.nextInt(12); piece > 0; piece--) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      }
      lines.add(text.toString());
    }
    return lines;
  }

  /** Into the last line or below it, as proxies do; then perhaps further proxies. */
  private static void addHonest(List<String> lines, Random random, boolean isForwarded) {
    String[] honest = isForwarded ? HONEST_NODES : HONEST_HOPS;
    append(lines, honest[random.nextInt(honest.length)], random);
    for (int proxies = random.nextInt(3); proxies > 0; proxies--) {
      append(lines, (isForwarded ? "for=" : "") + "10.0.0." + (2 + proxies), random);
    }
  }

  private static void append(List<String> lines, String element, Random random) {
    if (lines.isEmpty() || random.nextBoolean()) {
      lines.add(element);
      return;
    }
    lines.add(lines.remove(lines.size() - 1) + (random.nextBoolean() ? ", " : ",") + element);
  }

  private static String mutated(String text, Random random) {
    StringBuilder mutated = new StringBuilder(text);
    for (int change = 1 + random.nextInt(4); change > 0; change--) {
      int at = random.nextInt(mutated.length() + 1);
      if (random.nextBoolean() || at == mutated.length()) {
        mutated.insert(at, PIECES[random.nextInt(PIECES.length)]);
      } else {
        mutated.deleteCharAt(at);
      }
    }
    return mutated.toString();
  }

  private static ForwardedWalk walk(ForwardingHeader header) {
    return new ForwardedWalk(
        new AddressRules(TrustedProxies.of(List.of("10.0.0.0/8")), header, 64));
  }

  private static ClientAddress address(String text) {
    return ClientAddress.parse(text).orElseThrow();
  }
}
