package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.comporta.client.RateLimitedClient;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.core.Response;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every Java snippet of the documentation compiles, those of the README and the tutorial do what
 * they say, every page can be reached, and no link is dead.
 */
class DocumentationTest {

  private static final Pattern FENCE = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");

  @TempDir Path classes;

  static List<Path> pages() {
    return Snippets.pages();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void snippetsCompile(Path page) {
    assertThat(Snippets.errors(page, classes)).isEmpty();
  }

  @Test
  void readmeLimitsItsResourceAndItsClientIsAnsweredEveryTime() throws Exception {
    Path readme = Snippets.page("README.md");
    assertThat(Snippets.errors(readme, classes)).isEmpty();
    try (URLClassLoader loader = Snippets.loader(classes);
        JerseyPage page = JerseyPage.of(readme, loader);
        Client client = RateLimitedClient.wrap(ClientBuilder.newClient())) {
      Response answer = client.target(page.base()).path("books").request().get();

      assertThat(answer.getStatus()).isEqualTo(200);
      assertThat(answer.getHeaderString("X-RateLimit-Limit")).isEqualTo("100");
      assertThat(answer.getHeaderString("X-RateLimit-Remaining")).isEqualTo("99");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "docs/tutorial/first-limit.md, OrderLimitTest, admitsAgainAfterAMinute",
    "docs/how-to/test-your-limits.md, SearchLimitsTest, refusesTheSecondAndAdmitsAMinuteLater"
  })
  void theTestsThatPagesShowPass(String path, String className, String method) throws Exception {
    assertThat(Snippets.errors(Snippets.page(path), classes)).isEmpty();
    try (URLClassLoader loader = Snippets.loader(classes)) {
      Class<?> written = loader.loadClass(className);

      assertThatCode(() -> written.getMethod(method).invoke(written.getConstructor().newInstance()))
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void noLinkIsDead(Path page) {
    assertThat(links(page)).allSatisfy(link -> assertThat(isAlive(page, link)).as(link).isTrue());
  }

  @Test
  void everyPageCanBeReachedFromTheReadme() {
    Set<Path> reached = new HashSet<>();
    Deque<Path> open = new ArrayDeque<>(List.of(Snippets.page("README.md")));
    while (!open.isEmpty()) {
      Path page = open.pop();
      if (reached.add(page)) {
        links(page).stream()
            .map(link -> target(page, link))
            .filter(file -> file.toString().endsWith(".md"))
            .forEach(open::push);
      }
    }

    assertThat(reached).containsAll(pages());
  }

  @Test
  void theIndexListsEveryPageBelowDocs() {
    Path index = Snippets.page("docs/README.md");
    List<Path> listed = links(index).stream().map(link -> target(index, link)).toList();

    assertThat(pages())
        .filteredOn(page -> page.startsWith(index.getParent()) && !page.equals(index))
        .isSubsetOf(listed);
  }

  /** Links to files and headings of this project. */
  private static List<String> links(Path page) {
    String prose = FENCE.matcher(Snippets.text(page)).replaceAll("");
    return LINK.matcher(prose)
        .results()
        .map(match -> match.group(1))
        .filter(link -> !link.contains("://"))
        .toList();
  }

  private static Path target(Path page, String link) {
    String file = link.split("#", 2)[0];
    return file.isEmpty() ? page : page.resolveSibling(file).normalize();
  }

  private static boolean isAlive(Path page, String link) {
    Path target = target(page, link);
    String[] parts = link.split("#", 2);
    return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
  }

  /** As they are made of headings: small letters and digits, hyphens for blanks. */
  private static List<String> anchors(Path page) {
    return HEADING
        .matcher(FENCE.matcher(Snippets.text(page)).replaceAll(""))
        .results()
        .map(match -> match.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }
}
