package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that speaks TLS, with a certificate that only a trust store of ours knows. */
class RedisTlsIT {

  private static final String PASSWORD = "changeit";

  private static final List<KeyedLimit> LIMITS =
      List.of(new KeyedLimit("{c}:b", new TokenBucket(10, 60_000_000, 10)));

  @TempDir static Path dir;

  private static RedisServerProcess server;
  private static int tlsPort;

  @BeforeAll
  static void start() throws IOException, GeneralSecurityException {
    makeCertificate();
    tlsPort = RedisServerProcess.freePort();
    server =
        RedisServerProcess.started(
            "--tls-port",
            Integer.toString(tlsPort),
            "--tls-cert-file",
            dir.resolve("cert.pem").toString(),
            "--tls-key-file",
            dir.resolve("key.pem").toString(),
            "--tls-ca-cert-file",
            dir.resolve("cert.pem").toString(),
            "--tls-auth-clients",
            "no");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void decidesOverTlsWithTheTrustStoreOfARedissonFile() throws IOException {
    String trust =
        "sslTruststore: \""
            + dir.resolve("store.p12").toUri()
            + "\"\n"
            + "sslTruststorePassword: \""
            + PASSWORD
            + "\"\n";

    try (WaitingStore store = open(trust)) {
      assertThat(store.decide(LIMITS, 1)).isInstanceOf(Verdict.Admitted.class);
    }
  }

  @Test
  void trustsNoCertificateThatNobodyKnows() throws IOException {
    try (WaitingStore store = open("")) {
      assertThatThrownBy(() -> store.decide(LIMITS, 1))
          .hasMessageContaining("Redis cannot be reached");
    }
  }

  private static WaitingStore open(String trust) throws IOException {
    Path file = Files.createTempFile(dir, "redisson", ".yaml");
    Files.writeString(
        file,
        trust
            + "singleServerConfig:\n  connectTimeout: 5000\n  address: \"rediss://127.0.0.1:"
            + tlsPort
            + "\"\n");
    return new WaitingStore(
        new RedisLimitStore(RedisOptions.configuredBy(file).within(Duration.ofSeconds(5))));
  }

  /** By the tool of the JDK, which writes no PEM. */
  private static void makeCertificate() throws IOException, GeneralSecurityException {
    Path store = dir.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "redis",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=redis",
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    RedisServerProcess.await("the certificate is made", () -> !keytool.isAlive());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] key = keys.getKey("redis", PASSWORD.toCharArray()).getEncoded();
    Files.writeString(dir.resolve("key.pem"), pem("PRIVATE KEY", key));
    byte[] certificate = keys.getCertificate("redis").getEncoded();
    Files.writeString(dir.resolve("cert.pem"), pem("CERTIFICATE", certificate));
  }

  private static String pem(String what, byte[] encoded) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }
}
