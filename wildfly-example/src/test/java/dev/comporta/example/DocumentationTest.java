package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.comporta.client.RateLimitedClient;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every Java snippet of the documentation compiles, and those of the README do what they say. */
class DocumentationTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern JAVA = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);
  private static final Pattern CLASS_NAME = Pattern.compile("public class (\\w+)");

  /** What a reader of a snippet takes for granted. */
  private static final String IMPORTS =
      """
      import dev.comporta.client.*;
      import dev.comporta.server.api.*;
      import jakarta.servlet.http.*;
      import jakarta.ws.rs.*;
      import jakarta.ws.rs.client.*;
      import jakarta.ws.rs.core.*;
      import java.time.*;
      import java.util.*;
      """;

  record Snippet(Path file, int number, String text) {

    String className() {
      Matcher matcher = CLASS_NAME.matcher(text);
      return matcher.find() ? matcher.group(1) : "Snippet" + number;
    }

    /** The snippet as a class: it is one, or it is the body of a method. */
    String source() {
      return CLASS_NAME.matcher(text).find()
          ? IMPORTS + text
          : IMPORTS
              + "public class "
              + className()
              + " { void run() throws Exception {\n"
              + text
              + "} }";
    }

    @Override
    public String toString() {
      return file.getFileName() + " #" + number;
    }
  }

  @TempDir Path classes;

  static Stream<Snippet> snippets() throws IOException {
    List<Snippet> snippets = new ArrayList<>();
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream<Path> all =
          Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
              .filter(file -> file.toString().endsWith(".md"));
      for (Path file : all.toList()) {
        Matcher matcher = JAVA.matcher(Files.readString(file));
        for (int number = 1; matcher.find(); number++) {
          snippets.add(new Snippet(file, number, matcher.group(1)));
        }
      }
    }
    return snippets.stream();
  }

  @ParameterizedTest
  @MethodSource("snippets")
  void snippetCompiles(Snippet snippet) {
    assertThat(errorsOf(snippet)).as(snippet.toString()).isEmpty();
  }

  @Test
  void readmeLimitsItsResourceAndItsClientIsAnsweredEveryTime() throws Exception {
    Snippet resource =
        snippets()
            .filter(snippet -> snippet.file().endsWith("README.md"))
            .filter(snippet -> snippet.text().contains("@RateLimited"))
            .findFirst()
            .orElseThrow();
    assertThat(errorsOf(resource)).isEmpty();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, Thread.currentThread().getContextClassLoader())) {
      HttpServer server =
          GrizzlyHttpServerFactory.createHttpServer(
              URI.create("http://127.0.0.1:0/"),
              new ResourceConfig(loader.loadClass(resource.className())),
              true);
      try (Client client = RateLimitedClient.wrap(ClientBuilder.newClient())) {
        int port = server.getListeners().iterator().next().getPort();
        jakarta.ws.rs.core.Response answer =
            client.target("http://127.0.0.1:" + port + "/books?q=sea").request().get();

        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getHeaderString("X-RateLimit-Limit")).isEqualTo("100");
        assertThat(answer.getHeaderString("X-RateLimit-Remaining")).isEqualTo("99");
      } finally {
        server.shutdownNow();
      }
    }
  }

  @Test
  void tutorialTestsItsLimitWithoutWaiting() throws Exception {
    Snippet test =
        snippets()
            .filter(snippet -> snippet.className().equals("OrderLimitTest"))
            .findFirst()
            .orElseThrow();
    assertThat(errorsOf(test)).isEmpty();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, Thread.currentThread().getContextClassLoader())) {
      Class<?> written = loader.loadClass(test.className());

      assertThatCode(
              () ->
                  written
                      .getMethod("admitsAgainAfterAMinute")
                      .invoke(written.getConstructor().newInstance()))
          .doesNotThrowAnyException();
    }
  }

  private String errorsOf(Snippet snippet) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    SimpleJavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + snippet.className() + ".java"),
            javax.tools.JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return snippet.source();
          }
        };
    List<String> options =
        List.of("-proc:none", "-d", classes.toString(), "-classpath", classPath());
    boolean isCompiled =
        compiler.getTask(errors, null, null, options, Set.of(), List.of(file)).call();
    return isCompiled ? "" : errors + "\n" + snippet.source();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
