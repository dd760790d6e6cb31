package dev.comporta.example;

import jakarta.ws.rs.Path;
import java.net.URI;
import java.util.Properties;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * The resources that a page shows, under the settings that it shows, on Jersey in process. They
 * must have been compiled to where the loader looks.
 */
final class JerseyPage implements AutoCloseable {

  private final HttpServer server;
  private final Properties settings;
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  private JerseyPage(java.nio.file.Path page, ClassLoader loader, ResourceConfig application) {
    this.settings = Snippets.settings(page);
    // The application's services are found by the loader of the thread that starts it.
    Thread.currentThread().setContextClassLoader(loader);
    settings.forEach((key, value) -> System.setProperty((String) key, (String) value));
    try {
      for (Snippets.Snippet snippet : Snippets.of(page)) {
        Class<?> shown = loader.loadClass(snippet.className());
        if (shown.isAnnotationPresent(Path.class)) {
          application.register(shown);
        }
      }
      this.server =
          GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
    } catch (ClassNotFoundException missing) {
      forget();
      throw new IllegalStateException(page + " has not been compiled", missing);
    } catch (RuntimeException faulty) {
      forget();
      throw faulty;
    }
  }

  static JerseyPage of(java.nio.file.Path page, ClassLoader loader) {
    return new JerseyPage(page, loader, new ResourceConfig());
  }

  /** The same, as part of an application that has more. */
  static JerseyPage of(java.nio.file.Path page, ClassLoader loader, ResourceConfig application) {
    return new JerseyPage(page, loader, application);
  }

  URI base() {
    int port = server.getListeners().iterator().next().getPort();
    return URI.create("http://127.0.0.1:" + port + "/");
  }

  @Override
  public void close() {
    server.shutdownNow();
    forget();
  }

  private void forget() {
    settings.keySet().forEach(key -> System.clearProperty((String) key));
    Thread.currentThread().setContextClassLoader(before);
  }
}
