package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference page tells every member of every annotation, as the classes do. */
class AnnotationsReferenceTest {

  private static final Path PAGE = Path.of("../docs/reference/annotations.md");

  private static final List<String> TEMPLATE =
      List.of("Type", "Default", "Range", "Does", "Inherits", "Fault when");

  @ParameterizedTest
  @ValueSource(classes = {RateLimited.class, Limit.class, RateLimitExempt.class})
  void hasASectionForEachMemberAndNoOther(Class<?> annotation) throws IOException {
    List<String> members =
        Pattern.compile("^### `(.+)`$", Pattern.MULTILINE)
            .matcher(section(annotation))
            .results()
            .map(heading -> heading.group(1))
            .toList();

    assertThat(members)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(annotation.getDeclaredMethods()).map(Method::getName).toList());
  }

  @ParameterizedTest
  @ValueSource(classes = {RateLimited.class, Limit.class})
  void tellsEachMemberOnOneTemplateWithItsTypeAndDefault(Class<?> annotation) throws IOException {
    for (Method member : annotation.getDeclaredMethods()) {
      String text = section(annotation).split("(?m)^### `" + member.getName() + "`$", 2)[1];
      List<String> lines = text.split("\n### ", 2)[0].strip().lines().toList();

      assertThat(lines)
          .as(member.toString())
          .extracting(line -> line.replaceFirst("^- \\*\\*(.+):\\*\\* .+$", "$1"))
          .containsExactlyElementsOf(TEMPLATE);
      assertThat(lines.get(0)).isEqualTo("- **Type:** `" + type(member) + "`");
      assertThat(lines.get(1)).isEqualTo("- **Default:** " + standing(member.getDefaultValue()));
    }
  }

  private static String section(Class<?> annotation) throws IOException {
    String start = "\n## `@" + annotation.getSimpleName() + "`\n";
    String page = Files.readString(PAGE);
    assertThat(page).contains(start);
    return page.split(Pattern.quote(start), 2)[1].split("\n## ", 2)[0];
  }

  private static String type(Method member) {
    return member.getGenericReturnType().getTypeName().replaceAll("[a-z]+\\.", "");
  }

  private static String standing(@Nullable Object value) {
    if (value == null) {
      return "none";
    }
    if (value instanceof Object[]) {
      return "`{}`";
    }
    if (value instanceof Class<?> type) {
      return "`" + type.getSimpleName() + ".class`";
    }
    return value instanceof String ? "`\"" + value + "\"`" : "`" + value + "`";
  }
}
