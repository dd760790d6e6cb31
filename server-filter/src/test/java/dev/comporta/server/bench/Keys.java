package dev.comporta.server.bench;

import java.util.stream.IntStream;

/** The callers of a measurement: keys as the filter builds them, made beforehand. */
final class Keys {

  private Keys() {}

  static String[] of(int callers) {
    return IntStream.range(0, callers)
        .mapToObj(i -> "shop:1:{" + "%032x".formatted(i * 0x9E3779B97F4A7C15L) + "}:search:0:tb")
        .toArray(String[]::new);
  }

  /** A key picked by that many random bits. */
  static String pick(String[] keys, int random) {
    return keys[(int) (((random & 0xFFFF_FFFFL) * keys.length) >>> Integer.SIZE)];
  }
}
