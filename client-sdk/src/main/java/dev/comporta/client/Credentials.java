package dev.comporta.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a request identifies its caller with, as a hash: a server counts by it, and it must not be
 * kept in clear. Immutable.
 */
record Credentials(Map<String, String> headers) {

  static final Credentials NONE = new Credentials(Map.of());

  private static final Set<String> NAMES =
      Set.of("authorization", "x-api-key", "api-key", "x-auth-token", "cookie");

  Credentials {
    headers = Map.copyOf(headers);
  }

  /** A copy with another header, if it is one that identifies. */
  Credentials with(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (!NAMES.contains(lower)) {
      return this;
    }
    Map<String, String> all = new TreeMap<>(headers);
    all.merge(lower, hash(value), (before, added) -> hash(before + added));
    return new Credentials(all);
  }

  /** The hash of all of them; the same for the same headers in any order. */
  String hash() {
    return headers.isEmpty() ? "" : hash(new TreeMap<>(headers).toString());
  }

  private static String hash(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
