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

  /** Twice the longest time in which a burst may come back. */
  private static final long MOST_AHEAD = 2 * 36_525 * 86_400_000_000L;

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
  void dividesExactlyNextToWholeQuotients() throws IOException {
    long seed = 7;
    Random random = new Random(seed);
    List<long[]> cases = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      long a = 1 + (long) (random.nextDouble() * (MOST_PERMITS - 1));
      long c = LONGEST_WINDOW - random.nextInt(1_000) * 1_000L;
      cases.add(new long[] {a, nextToWholeQuotient(random, a, c), 0, c});
    }

    assertExact(cases, seed);
  }

  /** What a bucket owes at another rate: an instant times permits, parts of which are added. */
  @Test
  void dividesExactlyWhatABucketOwesAtAnotherRate() throws IOException {
    long seed = 8;
    Random random = new Random(seed);
    List<long[]> cases = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      long permits = 1 + random.nextLong(MOST_PERMITS);
      long window = 1 + random.nextLong(LONGEST_WINDOW);
      long mostAhead = Math.min(MOST_AHEAD, window * 2);
      cases.add(new long[] {random.nextLong(mostAhead), permits, random.nextLong(permits), window});
    }

    assertExact(cases, seed);
  }

  /** What is left of it, as parts of another window. */
  @Test
  void dividesExactlyPartsOfTheLongestWindows() throws IOException {
    long seed = 9;
    Random random = new Random(seed);
    List<long[]> cases = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      long from = LONGEST_WINDOW - random.nextInt(1_000);
      long to = LONGEST_WINDOW - random.nextInt(1_000);
      cases.add(new long[] {random.nextLong(from), to, 0, from});
    }

    assertExact(cases, seed);
  }

  private static void assertExact(List<long[]> cases, long seed) throws IOException {
    List<String> arguments = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (long[] numbers : cases) {
      for (long number : numbers) {
        arguments.add(Long.toString(number));
      }
      BigInteger[] parts =
          BigInteger.valueOf(numbers[0])
              .multiply(BigInteger.valueOf(numbers[1]))
              .add(BigInteger.valueOf(numbers[2]))
              .divideAndRemainder(BigInteger.valueOf(numbers[3]));
      expected.add(parts[0] + " " + parts[1]);
    }

    assertThat(inLua(arguments)).as("seed " + seed).isEqualTo(expected);
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

  private static List<String> inLua(List<String> fours) throws IOException {
    try (InputStream in = RatioScriptIT.class.getResourceAsStream("ratio.lua")) {
      String ratio =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
      List<String> words =
          new ArrayList<>(List.of("EVAL", "local floor = math.floor\n" + ratio + LOOP, "0"));
      words.addAll(fours);
      return server.command(words.toArray(String[]::new)).lines().skip(1).toList();
    }
  }

  private static final String LOOP =
      """
      local reply = {}
      for i = 1, #ARGV, 4 do
        local a, b = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
        local quotient, rest = ratio(a, b, tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]))
        reply[#reply + 1] = string.format('%.0f %.0f', quotient, rest)
      end
      return reply
      """;
}
