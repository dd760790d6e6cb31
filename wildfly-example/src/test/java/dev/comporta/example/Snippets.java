package dev.comporta.example;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The pages of the documentation, and what a reader would copy from them. */
final class Snippets {

  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern JAVA = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);
  private static final Pattern SETTINGS =
      Pattern.compile("```properties\\R(.*?)```", Pattern.DOTALL);
  private static final Pattern CLASS_NAME = Pattern.compile("public class (\\w+)");

  /** What a reader of a snippet takes for granted. */
  private static final String IMPORTS =
      """
      import dev.comporta.client.*;
      import dev.comporta.client.header.*;
      import dev.comporta.server.api.*;
      import jakarta.servlet.http.*;
      import jakarta.ws.rs.*;
      import jakarta.ws.rs.client.*;
      import jakarta.ws.rs.container.*;
      import jakarta.ws.rs.core.*;
      import java.time.*;
      import java.util.*;
      """;

  /** One block of Java of a page; the first is number 1. */
  record Snippet(Path page, int number, String text) {

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
  }

  private Snippets() {}

  /** Every page: those at the root of the project, and those below {@code docs}. */
  static List<Path> pages() {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The page with that path below the root of the project. */
  static Path page(String path) {
    return ROOT.resolve(path);
  }

  static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The blocks of Java of a page, in its order. */
  static List<Snippet> of(Path page) {
    List<Snippet> snippets = new ArrayList<>();
    Matcher matcher = JAVA.matcher(text(page));
    while (matcher.find()) {
      snippets.add(new Snippet(page, snippets.size() + 1, matcher.group(1)));
    }
    return snippets;
  }

  /** All settings of a page, as one file. */
  static Properties settings(Path page) {
    Properties settings = new Properties();
    Matcher matcher = SETTINGS.matcher(text(page));
    while (matcher.find()) {
      try {
        settings.load(new StringReader(matcher.group(1)));
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
    return settings;
  }

  /** Compiles each block of a page into that directory, beside those before it; tells errors. */
  static String errors(Path page, Path classes) {
    StringBuilder errors = new StringBuilder();
    of(page).forEach(snippet -> errors.append(errors(snippet, classes)));
    return errors.toString();
  }

  /** A loader of what has been compiled there, above that of the tests. */
  static URLClassLoader loader(Path classes) {
    try {
      return new URLClassLoader(
          new URL[] {classes.toUri().toURL()}, Thread.currentThread().getContextClassLoader());
    } catch (MalformedURLException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static String errors(Snippet snippet, Path classes) {
    StringWriter errors = new StringWriter();
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + snippet.className() + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return snippet.source();
          }
        };
    String classPath = classPath() + System.getProperty("path.separator") + classes;
    List<String> options = List.of("-proc:none", "-d", classes.toString(), "-classpath", classPath);
    boolean isCompiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(errors, null, null, options, Set.of(), List.of(file))
            .call();
    return isCompiled ? "" : snippet.page() + "\n" + errors + "\n" + snippet.source();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
