package dev.comporta.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTemplateTest {

  @ParameterizedTest
  @CsvSource({
    "books, /books",
    "/books/, /books",
    "//books//{id}, /books/{}",
    "'books/{isbn: [0-9]{13}}/pages', /books/{}/pages",
    "'/books/{path: a/b|c}', /books/{}",
    "'', /",
    "/, /",
    "'/books/}{', '/books/}{'",
  })
  void spellsAlikeWhatStandsForTheSamePaths(String template, String canonical) {
    assertThat(PathTemplate.canonical(template)).isEqualTo(canonical);
  }
}
