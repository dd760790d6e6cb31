package dev.comporta.client;

import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.EntityPart;
import jakarta.ws.rs.core.GenericEntity;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.InputStream;
import java.io.Reader;
import java.util.Collection;
import java.util.Optional;

/**
 * A request as far as its limits and its repetition are concerned.
 *
 * @param method the HTTP method, in capitals
 * @param origin scheme, host and port of the server
 * @param entity what it carries
 */
record Request(String method, String origin, Optional<Entity<?>> entity) {

  /** Whether sending the entity leaves it as it is: what is read from a stream is gone after. */
  boolean isRepeatable() {
    return entity.isEmpty() || isRepeatable(entity.get().getEntity());
  }

  private static boolean isRepeatable(Object content) {
    if (content instanceof GenericEntity<?> generic) {
      return isRepeatable(generic.getEntity());
    }
    if (content instanceof Collection<?> parts) {
      return parts.stream().allMatch(Request::isRepeatable);
    }
    return !(content instanceof InputStream
        || content instanceof Reader
        || content instanceof StreamingOutput
        || content instanceof EntityPart);
  }
}
