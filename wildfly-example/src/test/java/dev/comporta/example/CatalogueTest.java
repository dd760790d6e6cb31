package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import org.junit.jupiter.api.Test;

class CatalogueTest {

  private final Catalogue catalogue = new Catalogue();

  @Test
  void findsWordsWhateverTheirCaseAndAccents() {
    assertThat(catalogue.search("EÇA serras"))
        .extracting(Book::id)
        .containsExactly("a-cidade-e-as-serras");
    assertThat(catalogue.search("eca")).hasSize(3);
  }

  @Test
  void findsEverythingWhenThereIsNoWord() {
    assertThat(catalogue.search(" ")).hasSize(catalogue.size());
  }

  @Test
  void eachBookHasAnIdOfItsOwnThatFitsAPath() {
    assertThat(new HashSet<>(catalogue.search("").stream().map(Book::id).toList()))
        .hasSize(catalogue.size())
        .allMatch(id -> id.matches("[a-z-]+"));
  }

  @Test
  void countsTheBooksOfAYearAndBefore() {
    assertThat(catalogue.publishedUntil(1553)).isEmpty();
    assertThat(catalogue.publishedUntil(1554)).hasSize(1);
    assertThat(catalogue.publishedUntil(1934)).hasSize(catalogue.size());
  }
}
