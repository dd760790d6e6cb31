package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** The page of the faults of other clients names every one of them, and tests that there are. */
class FaultsOfOtherClientsPageTest {

  private static final Path PAGE = Path.of("../docs/explanation/faults-of-other-clients.md");

  private static final Pattern LINE = Pattern.compile("(?m)^\\| (C\\d+) \\| (.+) \\| (.+) \\|$");

  private static final Pattern TEST = Pattern.compile("`((?:[a-z]+\\.)*[A-Z]\\w+)\\.([a-z]\\w+)`");

  /** The numbers of the collection. It has gaps where a fault was another one's twin. */
  private static final String NUMBERS =
      """
      C01 C02 C04 C05 C06 C07 C09 C10 C11 C13 C14 C16 C18 C19 C20 C21 C23 C24 C27 C29 C30 C32 C33
      C34 C35 C37 C38 C39 C40 C41 C42 C43 C45 C46 C48 C49 C51 C52 C53 C54 C55 C56 C58 C59 C60
      """;

  @Test
  void namesEveryFaultOnceInItsOrder() throws IOException {
    assertThat(lines().map(line -> line.group(1))).containsExactly(NUMBERS.strip().split("\\s+"));
  }

  @Test
  void everyFaultHasATestOrAReason() throws IOException {
    assertThat(lines())
        .allSatisfy(
            line -> {
              String here = line.group(3);
              assertThat(TEST.matcher(here).find() || here.startsWith("Cannot occur"))
                  .as(line.group())
                  .isTrue();
            });
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Set<String> missing = new HashSet<>();
    for (MatchResult named : found(TEST)) {
      if (!isTest(named.group(1), named.group(2))) {
        missing.add(named.group());
      }
    }

    assertThat(missing).isEmpty();
  }

  private static boolean isTest(String type, String method) {
    try {
      return methods(Class.forName("dev.comporta.client." + type))
          .anyMatch(
              found ->
                  found.getName().equals(method)
                      && AnnotationSupport.isAnnotated(found, Testable.class));
    } catch (ClassNotFoundException unknown) {
      return false;
    }
  }

  private static Stream<Method> methods(Class<?> type) {
    return Stream.concat(
        Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getMethods()));
  }

  private static Stream<MatchResult> lines() throws IOException {
    return found(LINE).stream();
  }

  private static List<MatchResult> found(Pattern pattern) throws IOException {
    Matcher matcher = pattern.matcher(Files.readString(PAGE));
    return matcher.results().toList();
  }
}
