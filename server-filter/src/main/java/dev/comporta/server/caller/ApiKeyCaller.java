package dev.comporta.server.caller;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Recognises a request by an API key that the configuration lists. A key that it does not list is
 * no caller: the request falls to whoever is asked next.
 */
public final class ApiKeyCaller implements CallerIdentifier {

  /** The kind of its callers. */
  public static final String KIND = "api-key";

  /** Real keys are shorter; what is longer is not worth hashing. */
  static final int MAX_LENGTH = 1_024;

  private final String header;
  private final List<Caller> callers;

  /** The hash of the key of each, at the same index. */
  private final byte[][] hashes;

  /** An identifier of those keys in that header. */
  public ApiKeyCaller(String header, List<ApiKey> keys) {
    this.header = header;
    this.callers = keys.stream().map(key -> new Caller(KIND, key.name(), key.tier())).toList();
    this.hashes =
        keys.stream().map(key -> HexFormat.of().parseHex(key.sha256())).toArray(byte[][]::new);
  }

  @Override
  public Optional<Caller> identify(ContainerRequestContext request) {
    List<String> values = callers.isEmpty() ? null : request.getHeaders().get(header);
    if (values == null || values.size() != 1) {
      return Optional.empty();
    }
    String value = values.get(0);
    if (value == null || value.length() > MAX_LENGTH || value.isBlank()) {
      return Optional.empty();
    }
    return find(Digests.sha256(value.strip().getBytes(StandardCharsets.UTF_8)));
  }

  /** Compares with every key, in a time that tells nothing of which was nearest. */
  private Optional<Caller> find(byte[] hash) {
    Optional<Caller> found = Optional.empty();
    for (int i = 0; i < hashes.length; i++) {
      if (MessageDigest.isEqual(hashes[i], hash)) {
        found = Optional.of(callers.get(i));
      }
    }
    return found;
  }
}
