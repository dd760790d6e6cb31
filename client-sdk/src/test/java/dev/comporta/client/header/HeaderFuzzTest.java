package dev.comporta.client.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Header sets of the corpus, altered at random: whatever is sent, what is read can be used. */
class HeaderFuzzTest {

  private static final String ALPHABET =
      "0123456789-+.,;:=\"'\\/()[]{}?@%*&|#rtqwakpesm \t\r\nGMTZ\u00e9\u0663\uff13\u0000\ud83d";

  /** What is known to upset readers of numbers, dates, lists and JSON. */
  private static final List<String> NASTY =
      List.of(
          "",
          "-1",
          "-0",
          "9223372036854775807",
          "9223372036854775808",
          "99999999999999999999999999999999999999999999999999999999999999999",
          "1e400",
          "NaN",
          "Infinity",
          "0x7fffffff",
          "0.000000000000000000000000000001",
          "2147483648",
          "1796040000000000000",
          "9999999h9999999m9999999s",
          "Fri, 31 Dec 9999 23:59:60 GMT",
          "Sunday, 06-Nov-94 08:49:37 GMT",
          "+999999999-12-31T23:59:59Z",
          "2026-11-30 12:00:40",
          "\"a\";r=999999999999999;t=999999999999999",
          "limit=1, remaining=999999999999999, reset=999999999999999",
          "999999999999999:999999999999999:x",
          "total=9; remaining=99; resets=99999999999",
          "99999999999/1",
          "{\"a\":[{\"estimated_time_to_regain_access\":99999999999999999999}]}",
          "\",".repeat(200),
          "((((".repeat(100),
          ",".repeat(300));

  private final List<Corpus.Case> corpus = Corpus.all();

  @Test
  void everyMutationIsReadSafely() {
    fuzz(20_261_130, 50_000);
  }

  @Tag("slow")
  @Test
  void aMillionMutationsAreReadSafely() {
    fuzz(1_796_040_000, 1_000_000);
  }

  private void fuzz(long seed, int rounds) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < rounds; round++) {
      ResponseHead head = mutation(random);
      try {
        requireSafe(HeaderReader.read(head, List.of()));
      } catch (RuntimeException | AssertionError fault) {
        throw new AssertionError("seed %d, round %d: %s".formatted(seed, round, head), fault);
      }
    }
  }

  private static void requireSafe(RateLimitSnapshot snapshot) {
    Stream<Optional<Duration>> waits =
        Stream.concat(snapshot.windows().stream(), snapshot.otherWindows().stream())
            .flatMap(window -> Stream.of(window.resetAfter(), window.terms().retryAfter()));
    Stream.concat(waits, Stream.of(snapshot.retryAfter(), snapshot.waitHint()))
        .flatMap(Optional::stream)
        .filter(wait -> wait.isNegative() || wait.compareTo(RetryAfterHeader.LONGEST) > 0)
        .findFirst()
        .ifPresent(wait -> assertThat(wait).isBetween(Duration.ZERO, RetryAfterHeader.LONGEST));
    boolean areSound = snapshot.windows().stream().allMatch(HeaderFuzzTest::isSound);
    if (!areSound || (snapshot.bucket().isPresent() && snapshot.windows().isEmpty())) {
      throw new AssertionError("unsound: " + snapshot);
    }
    snapshot.tightest();
  }

  private static boolean isSound(Window window) {
    long limit = window.limit().orElse(Long.MAX_VALUE);
    long remaining = window.remaining().orElse(0);
    return window.countsRequests() && remaining >= 0 && remaining <= limit;
  }

  private ResponseHead mutation(SplittableRandom random) {
    Corpus.Case one = corpus.get(random.nextInt(corpus.size()));
    Map<String, List<String>> headers = new LinkedHashMap<>();
    one.headers()
        .forEach(
            (name, lines) -> {
              int kind = random.nextInt(20);
              if (kind > 0) {
                String newName = kind == 1 ? garbled(name, random) : name;
                headers.put(newName, mutated(lines, random));
              }
            });
    if (random.nextInt(4) == 0) {
      Corpus.Case other = corpus.get(random.nextInt(corpus.size()));
      other.headers().forEach((name, lines) -> headers.putIfAbsent(name, mutated(lines, random)));
    }
    int status = random.nextInt(3) == 0 ? random.nextInt(-1, 700) : one.status();
    return new ResponseHead(
        Optional.empty(),
        status,
        headers,
        one.receivedAt(),
        one.body().map(body -> garbled(body, random)));
  }

  private static List<String> mutated(List<String> lines, SplittableRandom random) {
    List<String> mutated = new ArrayList<>();
    for (String line : lines) {
      mutated.add(
          switch (random.nextInt(8)) {
            case 0 -> NASTY.get(random.nextInt(NASTY.size()));
            case 1, 2, 3 -> garbled(line, random);
            case 4 -> line + "," + NASTY.get(random.nextInt(NASTY.size()));
            default -> line;
          });
    }
    while (random.nextInt(12) == 0) {
      mutated.add(NASTY.get(random.nextInt(NASTY.size())));
    }
    return mutated;
  }

  private static String garbled(String text, SplittableRandom random) {
    StringBuilder garbled = new StringBuilder(text);
    for (int n = random.nextInt(1, 4); n > 0; n--) {
      int at = random.nextInt(garbled.length() + 1);
      int end = Math.min(garbled.length(), at + random.nextInt(4));
      char c = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      garbled.replace(at, end, String.valueOf(c).repeat(random.nextInt(20)));
    }
    return garbled.toString();
  }
}
