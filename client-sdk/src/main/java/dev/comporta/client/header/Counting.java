package dev.comporta.client.header;

import java.util.Arrays;
import java.util.Optional;

/**
 * How a server counts the requests of a window, where it tells: servers of Comporta do, in the
 * parameter {@code comporta-by} of {@code RateLimit-Policy}.
 */
public enum Counting {
  /** A bucket that refills evenly. */
  TOKEN_BUCKET("token-bucket"),
  /** The previous window counts by the share of it that is still inside. */
  WEIGHTED_WINDOW("weighted-window"),
  /** Each request counts until a window has passed since it. */
  WINDOW_LOG("window-log"),
  /** The count begins anew at each edge. */
  FIXED_WINDOW("fixed-window");

  private final String token;

  Counting(String token) {
    this.token = token;
  }

  static Optional<Counting> of(String token) {
    return Arrays.stream(values()).filter(counting -> counting.token.equals(token)).findFirst();
  }
}
