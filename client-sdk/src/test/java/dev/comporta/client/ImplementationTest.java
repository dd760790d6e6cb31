package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The contracts run on the implementations that the build names, in the versions that it names, and
 * no other is there. Maven runs them several times, each time on others.
 */
class ImplementationTest {

  /** Where the contracts find an implementation, or the interfaces. */
  private static final List<String> LIBRARIES =
      List.of(
          "jakarta.ws.rs/jakarta.ws.rs-api",
          "org.glassfish.jersey.core/jersey-client",
          "org.glassfish.jersey.connectors/jersey-apache5-connector",
          "org.glassfish.jersey.connectors/jersey-jnh-connector",
          "org.jboss.resteasy/resteasy-client");

  @Test
  void isTheOneThatTheBuildNames() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (String library : LIBRARIES) {
      List<String> versions = versions(library);
      if (!versions.isEmpty()) {
        found.put(library, versions);
      }
    }

    assertThat(found).isEqualTo(named());
  }

  /** As in the property: {@code group/artifact=version}, one a line. */
  private static Map<String, List<String>> named() {
    String property = System.getProperty("implementation");
    assertThat(property).as("the property \"implementation\", which Maven sets").isNotBlank();
    Map<String, List<String>> named = new TreeMap<>();
    property
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .forEach(
            line -> {
              int equals = line.indexOf('=');
              named.put(line.substring(0, equals), List.of(line.substring(equals + 1)));
            });
    return named;
  }

  /** Of each jar of it that is on the class path. */
  private static List<String> versions(String library) throws IOException {
    String path = "META-INF/maven/" + library + "/pom.properties";
    List<String> versions = new ArrayList<>();
    for (URL jar : Collections.list(ImplementationTest.class.getClassLoader().getResources(path))) {
      Properties properties = new Properties();
      try (InputStream in = jar.openStream()) {
        properties.load(in);
      }
      versions.add(properties.getProperty("version"));
    }
    return versions;
  }
}
