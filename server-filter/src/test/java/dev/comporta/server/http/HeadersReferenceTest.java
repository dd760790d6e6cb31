package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.store.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference page tells every header, status and body as the code does. */
class HeadersReferenceTest {

  private static final Path PAGE = Path.of("../docs/reference/headers.md");
  private static final Path SOURCES = Path.of("src/main/java");

  /** Names of more than one word, and those of one word that are headers. */
  private static final Pattern NAME_IN_CODE =
      Pattern.compile(
          "\"((?:X-|[A-Z][A-Za-z]+-)[A-Z][A-Za-z-]*|Accept|Forwarded|Origin|RateLimit|Vary)\"");

  private static final Pattern CONSTANT_IN_CODE = Pattern.compile("HttpHeaders\\.([A-Z_]+)");

  private static final Pattern SECTION =
      Pattern.compile(
          """
          ### `([A-Za-z-]+)`

          \\| \\| \\|
          \\|---\\|---\\|
          \\| (sent|read) \\| [^\\n]+ \\|
          \\| value \\| [^\\n]+ \\|
          \\| example \\| `([A-Za-z-]+): ([^\\n`]+)` \\|
          \\| source \\| [^\\n]+ \\|
          """);

  private static final WireLimit LIMIT = new WireLimit("search-1m", 60_000_000, false);
  private static final Refusal REFUSAL = Refusal.overLimit("search-1m", 60_000_000);

  private record Section(String name, boolean isSent, String exampleName, String example) {}

  @Test
  void everyHeaderInTheCodeHasItsSection() {
    Set<String> names = sections().stream().map(Section::name).collect(Collectors.toSet());

    assertThat(names).containsAll(namesInCode()).containsAll(sent().keySet());
  }

  @Test
  void everySectionIsOnTheTemplateAndThereOnce() {
    List<String> headings =
        Pattern.compile("(?m)^### `(.+)`$")
            .matcher(page())
            .results()
            .map(it -> it.group(1))
            .toList();

    assertThat(sections()).extracting(Section::name).isEqualTo(headings).doesNotHaveDuplicates();
    assertThat(sections()).allSatisfy(it -> assertThat(it.exampleName()).isEqualTo(it.name()));
  }

  @Test
  void everyExampleOfWhatIsSentIsSent() {
    Map<String, String> examples = new LinkedHashMap<>();
    sections().stream()
        .filter(Section::isSent)
        .forEach(section -> examples.put(section.name(), section.example()));

    assertThat(examples).containsExactlyInAnyOrderEntriesOf(sent());
  }

  @Test
  void everyExampleOfWhatANegotiationReadsMakesADifference() {
    Map<String, String> examples =
        sections().stream().collect(Collectors.toMap(Section::name, Section::example));

    assertThat(BodyForm.chosenBy(Optional.ofNullable(examples.get("Accept"))))
        .isEqualTo(BodyForm.PROBLEM);
    assertThat(Language.chosenBy(Optional.ofNullable(examples.get("Accept-Language"))))
        .isEqualTo(Language.PORTUGUESE);
  }

  @Test
  void tablesOfRefusalsAreWhatTheCodeMakes() {
    for (String table : List.of(statuses(), forms(), messages())) {
      assertThat(page())
          .as("replace the rows in %s by these:%n%s", PAGE, table)
          .contains("\n\n" + table + "\n");
    }
  }

  private static String statuses() {
    List<String> rows = new ArrayList<>();
    rows.add("| status | `error` | why | `type` of a problem | names a limit | tells a time |");
    rows.add("|---|---|---|---|---|---|");
    for (RefusalKind kind : RefusalKind.values()) {
      rows.add(
          Stream.of(
                  kind.status(),
                  kind.reason(),
                  Language.ENGLISH.messages().getString(kind.messageKey()),
                  "`" + kind.problemType() + "`",
                  kind.hasLimit() ? "yes" : "no",
                  kind.hasTime() ? "yes" : "no")
              .map(String::valueOf)
              .collect(Collectors.joining(" | ", "| ", " |")));
    }
    return String.join("\n", rows);
  }

  private static String forms() {
    List<String> rows = new ArrayList<>();
    rows.add("| `Content-Type` | `Content-Language` | body |");
    rows.add("|---|---|---|");
    for (BodyForm form : BodyForm.values()) {
      for (Language language : Language.values()) {
        RefusalAnswer answer =
            RefusalAnswer.of(REFUSAL, Optional.of(form.mediaType()), Optional.of(language.tag()));
        rows.add(
            "| `"
                + answer.mediaType()
                + "` | `"
                + language.tag()
                + "` | `"
                + answer.body()
                + "` |");
      }
    }
    return String.join("\n", rows);
  }

  private static String messages() {
    List<String> rows = new ArrayList<>(List.of("| `en` | `pt` | `es` |", "|---|---|---|"));
    for (RefusalKind kind : RefusalKind.values()) {
      rows.add(row(kind.messageKey()));
    }
    for (String count : List.of("one", "other", "many")) {
      rows.add(row("try-again." + count));
    }
    return String.join("\n", rows);
  }

  private static String row(String key) {
    return Arrays.stream(Language.values())
        .map(language -> language.messages().getString(key))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Every header that is sent, from one answer that passes and one refusal. */
  private static Map<String, String> sent() {
    Verdict verdict =
        new Verdict.Admitted(List.of(new Standing(100, 73, 16_000_000, 0)), 1_796_000_000_000_000L);
    RefusalAnswer refusal = RefusalAnswer.of(REFUSAL, Optional.empty(), Optional.empty());
    Map<String, String> sent =
        new LinkedHashMap<>(
            new RateLimitHeaders(EnumSet.allOf(Dialect.class)).of(List.of(LIMIT), verdict));
    List<String> exposed = new ArrayList<>(sent.keySet());
    exposed.add(RetryAfter.HEADER);
    sent.putAll(refusal.headers());
    sent.put("Content-Type", refusal.mediaType());
    sent.put(ExposedHeaders.HEADER, ExposedHeaders.merge(List.of(), exposed));
    return sent;
  }

  private static List<Section> sections() {
    return SECTION.matcher(page()).results().map(HeadersReferenceTest::section).toList();
  }

  private static Section section(MatchResult found) {
    return new Section(
        found.group(1), found.group(2).equals("sent"), found.group(3), found.group(4));
  }

  private static Set<String> namesInCode() {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> addNames(names, file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static void addNames(Set<String> names, Path file) {
    String code = read(file).replaceAll("(?m)^ *(/?\\*|//).*$", "");
    NAME_IN_CODE.matcher(code).results().forEach(found -> names.add(found.group(1)));
    CONSTANT_IN_CODE.matcher(code).results().forEach(found -> names.add(nameOf(found.group(1))));
  }

  /** CONTENT_TYPE is Content-Type. */
  private static String nameOf(String constant) {
    return Arrays.stream(constant.split("_", -1))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("-"));
  }

  private static String page() {
    return read(PAGE);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
