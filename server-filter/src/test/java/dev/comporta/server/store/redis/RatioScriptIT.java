package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The product-quotient of the scripts is exact where doubles are not. */
class RatioScriptIT {

  private static final long LONGEST_WINDOW = 400 * 86_400_000_000L;
  private static final long MOST_PERMITS = Integer.MAX_VALUE;
  private static final int CASES = 2_000;

  private static RedisServerProcess server;

  @BeforeAll
  static void startServer() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Test
  void roundsUpExactlyNextToWholeQuotients() throws IOException {
    long seed = 7;
    Random random = new Random(seed);
    List<String> arguments = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      long a = 1 + (long) (random.nextDouble() * (MOST_PERMITS - 1));
      long c = LONGEST_WINDOW - random.nextInt(1_000) * 1_000L;
      long b = nextToWholeQuotient(random, a, c);
      arguments.addAll(List.of(Long.toString(a), Long.toString(b), Long.toString(c)));
      expected.add(ceil(a, b, c));
    }

    List<String> actual = inLua(arguments);

    assertThat(actual).as("seed " + seed).isEqualTo(expected);
  }

  /**
   * A factor up to c, with which the remainder is as near to nothing as it gets, on either side.
   */
  private static long nextToWholeQuotient(Random random, long a, long c) {
    BigInteger divisor = BigInteger.valueOf(a).gcd(BigInteger.valueOf(c));
    BigInteger reduced = BigInteger.valueOf(c).divide(divisor);
    BigInteger offset = BigInteger.valueOf(random.nextInt(3) - 1);
    return BigInteger.valueOf(a)
        .divide(divisor)
        .modInverse(reduced)
        .multiply(offset)
        .mod(reduced)
        .add(reduced.multiply(BigInteger.valueOf(random.nextInt(divisor.intValueExact()))))
        .longValueExact();
  }

  private static String ceil(long a, long b, long c) {
    BigInteger[] parts =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .divideAndRemainder(BigInteger.valueOf(c));
    return parts[0].add(BigInteger.valueOf(parts[1].signum())).toString();
  }

  private static List<String> inLua(List<String> triples) throws IOException {
    try (InputStream in = RatioScriptIT.class.getResourceAsStream("ratio.lua")) {
      String ratio =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
      List<String> words = new ArrayList<>(List.of("EVAL", ratio + LOOP, "0"));
      words.addAll(triples);
      return server.command(words.toArray(String[]::new)).lines().skip(1).toList();
    }
  }

  private static final String LOOP =
      """
      local reply = {}
      for i = 1, #ARGV, 3 do
        local a, b, c = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
        reply[#reply + 1] = string.format('%.0f', ratioCeil(a, b, 0, c))
      end
      return reply
      """;
}
