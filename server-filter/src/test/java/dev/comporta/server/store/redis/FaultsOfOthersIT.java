package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kinds of faults that were reported of other limiters on Redis. */
class FaultsOfOthersIT {

  private static final KeyedLimit LIMIT =
      new KeyedLimit("{c}:bucket", new TokenBucket(10, 3_600_000_000L, 10));

  // S71: a reply that is lost after the charge, and a library that sends the script once more
  @Test
  void requestWhoseReplyIsLostIsChargedOnce() throws IOException {
    try (RedisServerProcess server = RedisServerProcess.started();
        LossyProxy proxy = new LossyProxy(server);
        WaitingStore direct = store(RedisOptions.at(server.address()));
        WaitingStore lossy = store(RedisOptions.at(proxy.address()))) {
      assertIsChargedOnce(server, proxy, direct, lossy);
    }
  }

  // S71: the defaults of Redisson, which a file brings, are to send again
  @Test
  void requestWhoseReplyIsLostIsChargedOnceAlsoByAConfiguredFile(@TempDir Path dir)
      throws IOException {
    try (RedisServerProcess server = RedisServerProcess.started();
        LossyProxy proxy = new LossyProxy(server)) {
      Path file = dir.resolve("redisson.yaml");
      Files.writeString(
          file,
          """
          singleServerConfig:
            address: "%s"
            retryAttempts: 3
            timeout: 200
          """
              .formatted(proxy.address()));
      try (WaitingStore direct = store(RedisOptions.at(server.address()));
          WaitingStore lossy = store(RedisOptions.configuredBy(file))) {
        assertIsChargedOnce(server, proxy, direct, lossy);
      }
    }
  }

  private static void assertIsChargedOnce(
      RedisServerProcess server, LossyProxy proxy, WaitingStore direct, WaitingStore lossy) {
    assertThat(lossy.decide(List.of(LIMIT), 1)).isInstanceOf(Verdict.Admitted.class);
    long before = server.callsOf("evalsha") + server.callsOf("eval");
    proxy.isLossy = true;

    assertThatThrownBy(() -> lossy.decide(List.of(LIMIT), 1))
        .isInstanceOf(CompletionException.class);

    assertThat(server.callsOf("evalsha") + server.callsOf("eval") - before).isEqualTo(1);
    assertThat(direct.peek(List.of(LIMIT)).standings().get(0).remaining()).isEqualTo(8);
  }

  private static WaitingStore store(RedisOptions options) {
    RedisLimitStore store = new RedisLimitStore(options.within(Duration.ofMillis(500)));
    assertThat(store.awaitReady(Duration.ofSeconds(10))).isTrue();
    return new WaitingStore(store);
  }

  /**
   * Passes on all that is asked; while it is lossy, it breaks the connection in place of a reply.
   */
  private static final class LossyProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final URI target;
    private final ExecutorService pumps = Executors.newCachedThreadPool();
    private volatile boolean isLossy;

    LossyProxy(RedisServerProcess server) throws IOException {
      this.target = URI.create(server.address());
      this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      pumps.execute(this::accept);
    }

    String address() {
      return "redis://127.0.0.1:" + listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      listening.close();
      pumps.shutdownNow();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = listening.accept();
          Socket redis = new Socket(target.getHost(), target.getPort());
          pumps.execute(() -> pump(client, redis, false));
          pumps.execute(() -> pump(redis, client, true));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void pump(Socket from, Socket to, boolean isReply) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[8_192];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          if (isReply && isLossy) {
            return;
          }
          out.write(buffer, 0, length);
          out.flush();
        }
      } catch (IOException closed) {
        // One end is gone, so the other goes.
      }
    }
  }
}
