package dev.comporta.client.header;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference page tells every vendor as the profiles do. */
class DialectsReferenceTest {

  private static final Path PAGE = Path.of("../docs/reference/dialects.md");
  private static final Pattern FIELDS = Pattern.compile("=([A-Z][A-Za-z0-9]*-[A-Za-z0-9*|-]+)");

  @Test
  void tableHasEveryVendor() throws IOException {
    String table =
        vendors().entrySet().stream()
            .map(vendor -> row(vendor.getKey(), vendor.getValue()))
            .collect(Collectors.joining("\n"));

    assertThat(Files.readString(PAGE))
        .as("replace the rows of %s by these:%n%s", PAGE, table)
        .contains(
            "| vendor | known by | windows in | refusals and waits | note |\n|---|---|---|---|---|\n"
                + table
                + "\n\n");
  }

  private static String row(String vendor, Map<String, List<String>> lines) {
    Stream<String> rules =
        Stream.of("refused", "wait", "usual-wait", "again")
            .flatMap(key -> of(lines, key).map(value -> "`" + key + " " + value + "`"));
    Stream<String> fields =
        of(lines, "window").flatMap(line -> FIELDS.matcher(line).results()).map(r -> code(r));
    return "| "
        + String.join(
            " | ",
            vendor,
            Stream.concat(words(lines, "hosts"), words(lines, "signs"))
                .map(word -> "`" + word + "`")
                .collect(Collectors.joining(" ")),
            fields.collect(Collectors.joining(" ")),
            rules.collect(Collectors.joining(" ")),
            of(lines, "note").collect(Collectors.joining("; ")))
        + " |";
  }

  private static String code(MatchResult field) {
    return "`" + field.group(1).replace("|", "` `") + "`";
  }

  private static Stream<String> words(Map<String, List<String>> lines, String key) {
    return of(lines, key).flatMap(line -> Stream.of(line.split(" +", -1)));
  }

  private static Stream<String> of(Map<String, List<String>> lines, String key) {
    return lines.getOrDefault(key, List.of()).stream();
  }

  private static Map<String, Map<String, List<String>>> vendors() throws IOException {
    Map<String, Map<String, List<String>>> vendors = new LinkedHashMap<>();
    Map<String, List<String>> lines = new LinkedHashMap<>();
    try (InputStream in = Profiles.class.getResourceAsStream("dialects.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
      for (String line : text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
        if (line.startsWith("[")) {
          lines = new LinkedHashMap<>();
          vendors.put(line.substring(1, line.length() - 1), lines);
        } else {
          String[] parts = line.split(" +", 2);
          lines.computeIfAbsent(parts[0], absent -> new ArrayList<>()).add(parts[1].strip());
        }
      }
    }
    return vendors;
  }
}
