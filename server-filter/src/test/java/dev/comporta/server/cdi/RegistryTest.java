package dev.comporta.server.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RegistryTest {

  private final Registry<String> registry = new Registry<>();

  @Test
  void forgetsWhatIsClosedAndOnlyThat() {
    Registry.Registration first = registry.add("books");
    registry.add("books");

    first.close();
    first.close();

    assertThat(registry.here()).containsExactly("books");
  }

  @Test
  void tellsApplicationsApartByTheClassLoaderOfTheThread() throws Exception {
    try (URLClassLoader books = new URLClassLoader(new URL[0]);
        URLClassLoader orders = new URLClassLoader(new URL[0])) {
      in(books, () -> registry.add("books"));
      in(orders, () -> registry.add("orders"));

      assertThat(in(books, registry::here)).containsExactly("books");
      assertThat(in(orders, registry::here)).containsExactly("orders");
    }
  }

  @Test
  void givesAllThereIsToAThreadOfNoApplication() throws Exception {
    try (URLClassLoader books = new URLClassLoader(new URL[0])) {
      in(books, () -> registry.add("books"));

      assertThat(registry.here()).containsExactly("books");
    }
  }

  private static <T> T in(ClassLoader loader, Supplier<T> action) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return action.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
