package dev.comporta.server.caller;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The two hashes that every Java platform must have. */
final class Digests {

  private static final String HMAC = "HmacSHA256";

  private Digests() {}

  static byte[] sha256(byte[] message) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(message);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("this Java platform has no SHA-256", impossible);
    }
  }

  /**
   * The code of a message. A copy of what has its key already takes two thirds of the time of a new
   * one; where the provider cannot copy, as one that keeps keys in hardware, a new one is made.
   */
  static byte[] hmacSha256(Mac keyed, SecretKeySpec secret, byte[] message) {
    try {
      return ((Mac) keyed.clone()).doFinal(message);
    } catch (CloneNotSupportedException notCopied) {
      return hmac(secret).doFinal(message);
    }
  }

  static Mac hmac(SecretKeySpec secret) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(secret);
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("this Java platform has no HMAC-SHA-256", impossible);
    }
  }

  static SecretKeySpec hmacKey(byte[] secret) {
    return new SecretKeySpec(secret, HMAC);
  }
}
