package dev.comporta.server.caller;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An API key that is recognised, known by its hash alone.
 *
 * @param name what the key is called in the configuration; the identity of its caller
 * @param sha256 the SHA-256 of the key, 64 hexadecimal digits
 * @param tier the tier of whoever sends it
 */
public record ApiKey(String name, String sha256, Optional<String> tier) {

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /** What hashing a variable that is not set gives: the hash of nothing, and of a line end. */
  private static final Set<String> OF_NOTHING =
      Set.of(
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b");

  /** Checks the form of the hash. The message does not tell it: it may be the key itself. */
  public ApiKey {
    sha256 = sha256.toLowerCase(Locale.ROOT);
    if (!HASH.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "a SHA-256 is 64 hexadecimal digits, was " + sha256.length() + " characters");
    }
    if (OF_NOTHING.contains(sha256)) {
      throw new IllegalArgumentException(
          "must be the SHA-256 of a key, was that of an empty text, as of a variable not set");
    }
  }

  /** The name and the tier. */
  @Override
  public String toString() {
    return "ApiKey[" + name + tier.map(other -> ", " + other).orElse("") + "]";
  }
}
