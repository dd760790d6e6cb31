package dev.comporta.example;

import jakarta.enterprise.context.ApplicationScoped;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** All books there are, in memory. Safe for use by many threads: nothing in it changes. */
@ApplicationScoped
public class Catalogue {

  private static final List<Book> BOOKS =
      List.of(
          new Book("menina-e-moca", "Menina e Moça", "Bernardim Ribeiro", 1554),
          new Book("os-lusiadas", "Os Lusíadas", "Luís de Camões", 1572),
          new Book("don-quijote", "Don Quijote de la Mancha", "Miguel de Cervantes", 1605),
          new Book("peregrinacao", "Peregrinação", "Fernão Mendes Pinto", 1614),
          new Book("robinson-crusoe", "Robinson Crusoe", "Daniel Defoe", 1719),
          new Book("candide", "Candide", "Voltaire", 1759),
          new Book("pride-and-prejudice", "Pride and Prejudice", "Jane Austen", 1813),
          new Book("frankenstein", "Frankenstein", "Mary Shelley", 1818),
          new Book("eurico", "Eurico, o Presbítero", "Alexandre Herculano", 1844),
          new Book("viagens", "Viagens na Minha Terra", "Almeida Garrett", 1846),
          new Book("moby-dick", "Moby-Dick", "Herman Melville", 1851),
          new Book("amor-de-perdicao", "Amor de Perdição", "Camilo Castelo Branco", 1862),
          new Book("iracema", "Iracema", "José de Alencar", 1865),
          new Book("padre-amaro", "O Crime do Padre Amaro", "Eça de Queirós", 1875),
          new Book("bras-cubas", "Memórias Póstumas de Brás Cubas", "Machado de Assis", 1881),
          new Book("cesario-verde", "O Livro de Cesário Verde", "Cesário Verde", 1887),
          new Book("os-maias", "Os Maias", "Eça de Queirós", 1888),
          new Book("o-cortico", "O Cortiço", "Aluísio Azevedo", 1890),
          new Book("dom-casmurro", "Dom Casmurro", "Machado de Assis", 1899),
          new Book("a-cidade-e-as-serras", "A Cidade e as Serras", "Eça de Queirós", 1901),
          new Book("clepsidra", "Clepsidra", "Camilo Pessanha", 1920),
          new Book("mensagem", "Mensagem", "Fernando Pessoa", 1934));

  /** How many books there are. */
  public int size() {
    return BOOKS.size();
  }

  /** The book of that id. */
  public Optional<Book> find(String id) {
    return BOOKS.stream().filter(book -> book.id().equals(id)).findFirst();
  }

  /**
   * The books in whose title or author all these words occur, whatever their case and accents: all
   * books when there is no word.
   */
  public List<Book> search(String words) {
    List<String> wanted = Stream.of(plain(words).split("\\s+")).toList();
    return BOOKS.stream()
        .filter(
            book -> wanted.stream().allMatch(plain(book.title() + " " + book.author())::contains))
        .toList();
  }

  /** The books whose first edition is of that year or earlier. */
  public List<Book> publishedUntil(int year) {
    return BOOKS.stream().filter(book -> book.year() <= year).toList();
  }

  private static String plain(String text) {
    String decomposed = Normalizer.normalize(text.strip(), Normalizer.Form.NFD);
    return decomposed.replaceAll("\\p{M}", "").toLowerCase(Locale.ROOT);
  }
}
