package dev.comporta.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Locale;
import java.util.Optional;

/**
 * The text of a refusal, where some vendors write the wait that they ask for. It is read into
 * memory, so that the caller can read it again.
 */
final class RefusalText {

  private static final int FIRST_CLIENT_ERROR = 400;
  private static final int FIRST_SERVER_ERROR = 500;

  /** Longer than any refusal that tells a wait; a longer text is left to the caller. */
  private static final int LONGEST = 8 * 1024;

  private RefusalText() {}

  /** The text of a response below 500 that is JSON and short, and says how long it is. */
  static Optional<String> of(Response response) {
    if (!isRead(response.getStatus(), response.getLength(), response.getMediaType())) {
      return Optional.empty();
    }
    try {
      return response.bufferEntity()
          ? Optional.ofNullable(response.readEntity(String.class))
          : Optional.empty();
    } catch (ProcessingException | IllegalStateException unreadable) {
      // Whoever needs the text gets the same fault; the header has been read all the same.
      return Optional.empty();
    }
  }

  /** The same of a response that filters are still reading; they read it anew. */
  static Optional<String> of(ClientResponseContext response) {
    boolean isRead =
        isRead(response.getStatus(), response.getLength(), response.getMediaType())
            && response.hasEntity();
    if (!isRead) {
      return Optional.empty();
    }
    InputStream stream = response.getEntityStream();
    try {
      byte[] bytes = stream.readNBytes(LONGEST);
      response.setEntityStream(new SequenceInputStream(new ByteArrayInputStream(bytes), stream));
      return Optional.of(new String(bytes, UTF_8));
    } catch (IOException unreadable) {
      // Whoever needs the text gets the same fault; the header has been read all the same.
      return Optional.empty();
    }
  }

  private static boolean isRead(int status, int length, MediaType type) {
    return status >= FIRST_CLIENT_ERROR
        && status < FIRST_SERVER_ERROR
        && length > 0
        && length <= LONGEST
        && isJson(type);
  }

  private static boolean isJson(MediaType type) {
    return type != null && type.getSubtype().toLowerCase(Locale.ROOT).contains("json");
  }
}
