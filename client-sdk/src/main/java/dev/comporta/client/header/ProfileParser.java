package dev.comporta.client.header;

import dev.comporta.client.header.RefusalRule.Sign;
import dev.comporta.client.header.Throttle.Resending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads profiles: blocks that begin with {@code [vendor]}, each a list of lines of a key and its
 * values. A line that begins with {@code #} is a comment. Of one thread.
 */
final class ProfileParser {

  private static final Set<String> KEYS =
      Set.of(
          "hosts",
          "signs",
          "window",
          "bucket",
          "policy",
          "names",
          "reset-of-tightest",
          "wait",
          "refused",
          "usual-wait",
          "again",
          "note");

  private final String text;
  private final List<Profile> profiles = new ArrayList<>();
  private Optional<String> name = Optional.empty();
  private final Map<String, List<String>> lines = new LinkedHashMap<>();

  ProfileParser(String text) {
    this.text = text;
  }

  List<Profile> parse() {
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      try {
        line(line.strip());
      } catch (IllegalArgumentException fault) {
        throw new IllegalArgumentException(
            "line %d of the profiles cannot be read: %s (%s)"
                .formatted(number, line.strip(), fault.getMessage()),
            fault);
      }
    }
    finish();
    return profiles;
  }

  private void line(String line) {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    if (line.startsWith("[") && line.endsWith("]")) {
      finish();
      name = Optional.of(line.substring(1, line.length() - 1));
      return;
    }
    int blank = line.indexOf(' ');
    String key = blank < 0 ? line : line.substring(0, blank);
    String value = blank < 0 ? "" : line.substring(blank).strip();
    if (name.isEmpty() || !KEYS.contains(key) || value.isEmpty()) {
      throw new IllegalArgumentException(
          "a line must be below a [vendor] and be one of "
              + KEYS.stream().sorted().toList()
              + " with a value");
    }
    check(key, value);
    lines.computeIfAbsent(key, absent -> new ArrayList<>()).add(value);
  }

  /** A fault is found with its line. */
  private static void check(String key, String value) {
    switch (key) {
      case "window" -> WindowLine.parse(value);
      case "wait" -> wait(value);
      case "refused" -> refusal(value);
      case "again" -> resending(value);
      case "usual-wait" -> duration(value);
      default -> {
        // Names, which may be any.
      }
    }
  }

  private void finish() {
    if (name.isEmpty()) {
      return;
    }
    List<String> signs = words("signs");
    List<String> names = words("names");
    profiles.add(
        new Profile(
            name.get(),
            new Profile.Signs(
                words("hosts").stream().map(host -> host.toLowerCase(Locale.ROOT)).toList(),
                fields(signs.stream().filter(sign -> !sign.endsWith("*")).toList()),
                signs.stream()
                    .filter(sign -> sign.endsWith("*"))
                    .map(sign -> sign.substring(0, sign.length() - 1))
                    .toList()),
            new Profile.Naming(
                fields(words("bucket")),
                fields(words("policy")),
                names.contains("policies"),
                names.contains("buckets"),
                fields(words("reset-of-tightest"))),
            each("window", WindowLine::parse),
            new Profile.Rules(
                each("wait", ProfileParser::wait),
                each("refused", ProfileParser::refusal),
                each("again", ProfileParser::resending),
                each("usual-wait", ProfileParser::duration).stream().findFirst())));
    lines.clear();
  }

  private <T> List<T> each(String key, Function<String, T> reading) {
    return lines.getOrDefault(key, List.of()).stream().map(reading).toList();
  }

  private List<String> words(String key) {
    return lines.getOrDefault(key, List.of()).stream()
        .flatMap(line -> List.of(line.split(" +", -1)).stream())
        .toList();
  }

  private static List<FieldName> fields(List<String> names) {
    return names.stream().map(FieldName::of).toList();
  }

  /** {@code Retry-After s}, {@code body s retry_after}. */
  private static WaitRule wait(String value) {
    String[] words = value.split(" +", 3);
    if (words.length < 2) {
      throw new IllegalArgumentException("a wait must have a field and a unit");
    }
    return new WaitRule(
        field(words[0]),
        unit(words[1]),
        words.length == 3 ? Optional.of(words[2]) : Optional.empty());
  }

  /** {@code 429}, {@code 503 wait}, {@code 403 exhausted}, {@code 403 body secondary limit}. */
  private static RefusalRule refusal(String value) {
    String[] words = value.split(" +", 3);
    int status = Integer.parseInt(words[0]);
    Sign sign = words.length == 1 ? Sign.ALWAYS : Sign.valueOf(words[1].toUpperCase(Locale.ROOT));
    return new RefusalRule(status, sign, words.length == 3 ? words[2] : "");
  }

  /** {@code no x-should-retry false}, {@code no body abnormal-usage}. */
  private static ResendingRule resending(String value) {
    String[] words = value.split(" +", 3);
    if (words.length < 3 || !Set.of("yes", "no").contains(words[0])) {
      throw new IllegalArgumentException("again must be yes or no, a field, and its value");
    }
    return new ResendingRule(
        words[0].equals("yes") ? Resending.ALLOWED : Resending.FORBIDDEN,
        field(words[1]),
        words[2]);
  }

  private static Optional<FieldName> field(String word) {
    return word.equals("body") ? Optional.empty() : Optional.of(FieldName.of(word));
  }

  static Duration duration(String value) {
    return GoDuration.parse(value)
        .orElseThrow(
            () -> new IllegalArgumentException("a span must be as 90s or 24h, was " + value));
  }

  static long unit(String word) {
    return switch (word) {
      case "ms" -> Decimal.MILLI;
      case "s" -> Decimal.SECOND;
      case "min" -> 60 * Decimal.SECOND;
      default -> throw new IllegalArgumentException("a unit must be ms, s or min, was " + word);
    };
  }
}
