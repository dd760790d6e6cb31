package dev.comporta.example;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * The WAR that was built, as it is, with a jar of further configuration beside its own: API keys
 * without a tier, so that each test has a caller that nobody else is.
 */
final class ExampleArchive {

  private ExampleArchive() {}

  /** The WAR, in which these API keys are known. */
  static WebArchive withKeys(String... keys) {
    return withConfiguration(
        Arrays.stream(keys).map(ExampleArchive::key).collect(Collectors.joining()));
  }

  /** The WAR with more configuration. */
  static WebArchive withConfiguration(String properties) {
    JavaArchive jar =
        ShrinkWrap.create(JavaArchive.class, "more-configuration.jar")
            .addAsManifestResource(new StringAsset(properties), "microprofile-config.properties");
    return ShrinkWrap.createFromZipFile(WebArchive.class, file()).addAsLibrary(jar);
  }

  /** The file that the build made. */
  static File file() {
    return new File(System.getProperty("example.war"));
  }

  /** The configuration of one API key. */
  static String key(String key) {
    return "comporta.api-keys.%s.sha256=%s\n".formatted(key, sha256(key));
  }

  /** As {@code sha256sum} writes it. */
  static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
