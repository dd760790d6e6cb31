package dev.comporta.server;

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

/** The page of the faults of others names every one of them, and tests that there are. */
class FaultsOfOthersPageTest {

  private static final Path PAGE = Path.of("../docs/explanation/faults-of-others.md");

  private static final Pattern LINE = Pattern.compile("(?m)^\\| ([SO]\\d+) \\| (.+) \\| (.+) \\|$");

  private static final Pattern TEST = Pattern.compile("`((?:[a-z]+\\.)*[A-Z]\\w+)\\.([a-z]\\w+)`");

  /** The numbers of the collection. It has gaps where a fault was another one's twin. */
  private static final String NUMBERS =
      """
      S01 S02 S03 S05 S06 S07 S08 S09 S10 S11 S13 S14 S16 S17 S18 S19 S21 S22 S23 S24 S25 S26 S27
      S28 S29 S31 S32 S34 S35 S37 S38 S39 S40 S41 S42 S43 S44 S45 S46 S48 S49 S51 S52 S53 S54 S55
      S57 S58 S61 S62 S63 S64 S65 S67 S68 S71 S72 S73 S74 S75 S77 S79 S80 S81 S83 S84 S85 S86 S87
      S90 S91 S92 S93 S94 S95 S97 S99 S100 S101 S103 S105 S106 S107 S108 S110 S111 S112 S114 S115
      S117 S118 S119 S120 S121 S123 O1 O2 O3 O4 O5 O6 O7 O8 O9 O10
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
      return methods(Class.forName("dev.comporta.server." + type))
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
