package dev.comporta.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.observe.StoreStatus.Condition;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference page tells every event, meter and label as the code has them. */
class EventsAndMetricsReferenceTest {

  private static final Path PAGE = Path.of("../docs/reference/events-and-metrics.md");

  @Test
  void tellsEveryEventWithItsComponents() throws IOException {
    List<String> expected = records(RateLimitEvent.class).map(type -> start(type)).toList();

    assertThat(rowsOf("## Events")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void tellsEveryMeterWithItsLabelsAndMeaning() throws IOException {
    assertHasTable(
        "| meter | kind | labels | meaning |\n|---|---|---|---|\n",
        Arrays.stream(Meter.values())
            .map(
                meter ->
                    "| `%s` | %s | %s | %s |"
                        .formatted(
                            meter.id(), meter.kind(), codes(meter.labels()), meter.meaning())));
  }

  @Test
  void tellsEveryOutcome() throws IOException {
    assertHasTable(
        "| `outcome` | meaning |\n|---|---|\n",
        Arrays.stream(Outcome.values())
            .map(outcome -> "| `%s` | %s |".formatted(outcome.label(), outcome.meaning())));
  }

  @Test
  void tellsEveryConditionOfAStore() throws IOException {
    assertThat(rowsOf("## Health"))
        .containsExactlyElementsOf(
            Arrays.stream(Condition.values()).map(EventsAndMetricsReferenceTest::start).toList());
  }

  private static void assertHasTable(String head, Stream<String> rows) throws IOException {
    String table = head + rows.collect(Collectors.joining("\n"));
    assertThat(Files.readString(PAGE)).contains(table + "\n\n");
  }

  /** The rows of the first table under that heading, to the end of those columns that are code. */
  private static List<String> rowsOf(String heading) throws IOException {
    String section = Files.readString(PAGE).split(heading + "\\R", 2)[1].split("\\R## ", 2)[0];
    return Pattern.compile("(?m)^\\| `\\w+` (\\|( ?`\\w+`,?)+ )?(?=\\|)")
        .matcher(section)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  private static String start(Condition condition) {
    String status = condition == Condition.UNUSABLE ? "DOWN" : "UP";
    return "| `%s` | `%s` ".formatted(condition.name().toLowerCase(Locale.ROOT), status);
  }

  private static String start(Class<?> event) {
    return "| `%s` | %s "
        .formatted(
            event.getSimpleName(),
            codes(
                Arrays.stream(event.getRecordComponents()).map(RecordComponent::getName).toList()));
  }

  private static String codes(List<String> names) {
    return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
  }

  private static Stream<Class<?>> records(Class<?> type) {
    return type.isRecord()
        ? Stream.of(type)
        : Stream.of(type.getPermittedSubclasses()).flatMap(EventsAndMetricsReferenceTest::records);
  }
}
