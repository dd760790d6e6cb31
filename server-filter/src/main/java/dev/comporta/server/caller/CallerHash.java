package dev.comporta.server.caller;

import dev.comporta.server.api.Caller;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns a caller into what may stand in a key of the store: 120 bits as 20 characters of {@code
 * A-Za-z0-9_-}, from which nobody reads the identity. With a secret nobody can find it by trying,
 * either: that matters where others can read the store, since there are few IPv4 addresses.
 * Thread-safe.
 */
public final class CallerHash {

  /** No part of a character of base 64 is left over, and 2^50 callers hardly have two alike. */
  private static final int BYTES = 15;

  /** Longer than any name of a user or a key; what is longer would only fill the memory. */
  private static final int MAX_REMEMBERED = 256;

  private final UnaryOperator<byte[]> digest;
  private final Recent<Caller, String> recent = new Recent<>(this::computed);

  private CallerHash(UnaryOperator<byte[]> digest) {
    this.digest = digest;
  }

  /** SHA-256, cut to 120 bits. */
  public static CallerHash plain() {
    return new CallerHash(Digests::sha256);
  }

  /** HMAC-SHA-256 with that secret, cut to 120 bits. */
  public static CallerHash keyed(byte[] secret) {
    SecretKeySpec key = Digests.hmacKey(secret);
    Mac keyed = Digests.hmac(key);
    return new CallerHash(message -> Digests.hmacSha256(keyed, key, message));
  }

  /** The hash of kind and identity; the tier is no part of who someone is. */
  public String hash(Caller caller) {
    return caller.identity().length() <= MAX_REMEMBERED ? recent.of(caller) : computed(caller);
  }

  private String computed(Caller caller) {
    byte[] hash = digest.apply(message(caller));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES));
  }

  /** The length of the kind goes first, so that no two callers give the same message. */
  private static byte[] message(Caller caller) {
    byte[] kind = caller.kind().getBytes(StandardCharsets.UTF_8);
    byte[] identity = caller.identity().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + kind.length + identity.length)
        .putInt(kind.length)
        .put(kind)
        .put(identity)
        .array();
  }
}
