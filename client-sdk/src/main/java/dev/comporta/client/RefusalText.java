package dev.comporta.client;

import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
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
    int status = response.getStatus();
    boolean isRead =
        status >= FIRST_CLIENT_ERROR
            && status < FIRST_SERVER_ERROR
            && response.getLength() > 0
            && response.getLength() <= LONGEST
            && isJson(response.getMediaType());
    if (!isRead) {
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

  private static boolean isJson(MediaType type) {
    return type != null && type.getSubtype().toLowerCase(Locale.ROOT).contains("json");
  }
}
