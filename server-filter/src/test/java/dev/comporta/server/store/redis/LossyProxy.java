package dev.comporta.server.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes on all that is asked, and all replies but those it is told to lose: in place of such a
 * reply it breaks the connection, when Redis has done what it was asked.
 */
public final class LossyProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final URI target;
  private final ExecutorService pumps = Executors.newCachedThreadPool();
  private final AtomicInteger toLose = new AtomicInteger();

  /** A proxy before that Redis, which loses nothing at first. */
  public LossyProxy(String address) throws IOException {
    this.target = URI.create(address);
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    pumps.execute(this::accept);
  }

  public String address() {
    return "redis://127.0.0.1:" + listening.getLocalPort();
  }

  /** Loses so many of the next replies, each with its connection. */
  public void loseReplies(int count) {
    toLose.set(count);
  }

  /** Whether it has lost all that it was told to. */
  public boolean hasLostAll() {
    return toLose.get() == 0;
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
        if (isReply && toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
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
